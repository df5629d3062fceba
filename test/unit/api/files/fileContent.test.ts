import fc from 'fast-check';
import { isAnswerInstead, mimeTypeOf } from '../../../../nodes/api/files/fileContent';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const headers = (type?: string, disposition?: string) => ({
	...(type === undefined ? {} : { 'content-type': type }),
	...(disposition === undefined ? {} : { 'content-disposition': disposition }),
});
const isDocument = (extension: string, text: string, type?: string) =>
	!isAnswerInstead(bytes(text), headers(type), { extension, isDocument: true });
const isStored = (extension: string, text: string, type?: string, disposition?: string) =>
	!isAnswerInstead(bytes(text), headers(type, disposition), { extension, isDocument: false });

const refusal = '{"status":"ERROR","code":404,"msg":"No"}';
const bom = '\u00ef\u00bb\u00bf';

describe('a document of the service', () => {
	it.each([
		['pdf', '%PDF-1.7', 'application/pdf'],
		['pdf', '\r\n%PDF-1.7', 'text/html'],
		['xlsx', 'PK\u0003\u0004', undefined],
		['docx', 'PK\u0003\u0004', 'application/json'],
		['png', '\u0089PNG\r\n', undefined],
		['xhtml', '<?xml version="1.0"?><html/>', 'text/html'],
		['xhtml', `${bom}\n<!-- made today --><html/>`, undefined],
		['', 'PK\u0003\u0004', 'application/octet-stream'],
		['', '\u00d0\u00cf\u0011\u00e0', 'application/msword'],
		['', '{\\rtf1 Hello}', 'application/rtf'],
		['', '%PDF-1.7', undefined],
	])('of the form %j may begin with %j (%s)', (extension, text, type) => {
		expect(isDocument(extension, text, type)).toBe(true);
	});

	it.each([
		['pdf', 'PK\u0003\u0004', 'application/pdf'],
		['pdf', '%PD', 'application/pdf'],
		['xlsx', '%PDF-1.7', undefined],
		['png', 'GIF89a', 'image/png'],
		['xhtml', '{"a":"<html>"}', 'application/xhtml+xml'],
		['xhtml', 'Not found', 'text/html'],
		['', '<html/>', 'application/octet-stream'],
		['', '<?xml version="1.0"?><error/>', undefined],
		['', `${bom}${refusal}`, undefined],
		['', '[]', undefined],
		['', 'Not found', 'text/plain'],
		['', 'Not found', 'text/html;charset=UTF-8'],
	])('of the form %j does not begin with %j (%s)', (extension, text, type) => {
		expect(isDocument(extension, text, type)).toBe(false);
	});

	it.each(['pdf', 'xlsx', 'docx', 'png', 'xhtml', ''])(
		'of the form %j is not empty, and no JSON',
		(extension) => {
			const texts = fc
				.oneof(fc.object(), fc.array(fc.jsonValue()))
				.map((json) => JSON.stringify(json));
			fc.assert(
				fc.property(fc.oneof(texts, fc.constantFrom('', ' \n')), (text) => {
					expect(isDocument(extension, text)).toBe(false);
				}),
				{ examples: [[''], [' \n']] },
			);
		},
	);
});

describe('a stored file', () => {
	it('is whatever its name says, when it begins like that', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.string(), (rest, type) => {
				expect(isStored('pdf', `%PDF${rest}`, type)).toBe(true);
				expect(isStored('png', `\u0089PNG${rest}`, type)).toBe(true);
			}),
		);
	});

	type StoredCase = readonly [string, string, string | undefined, string | undefined];

	it.each<StoredCase>([
		['json', refusal, 'application/json', 'attachment; filename="a.json"'],
		['txt', refusal, 'text/plain', 'attachment; filename="a.txt"'],
		['json', '{"status":"ERROR"}', 'application/json', undefined],
		['json', '{}', 'application/json', undefined],
		['dat', 'a short text', 'text/plain', 'inline; filename="a.dat"'],
		['tif', 'a long text '.repeat(50), 'text/plain', undefined],
		['txt', '', 'text/plain', undefined],
		['gif', 'GIF89a', 'image/gif', undefined],
		['png', 'GIF89a'.repeat(100), 'image/gif', undefined],
		['dat', 'anything', undefined, undefined],
		['pdf', 'a long text '.repeat(50), undefined, undefined],
		['pdf', '\u0000\u0001short', 'application/octet-stream', undefined],
		...['php', 'jsp', 'eml', 'txt', ''].map((extension): StoredCase => [
			...([extension, '<!DOCTYPE html><?php', 'application/octet-stream'] as const),
			`attachment; filename="index.${extension}"`,
		]),
	])('named .%s may be %j (%s)', (extension, text, type, disposition) => {
		expect(isStored(extension, text, type, disposition)).toBe(true);
	});

	it.each([
		['json', refusal, 'application/json', undefined],
		['png', refusal, 'image/png', 'attachment; filename="a.png"'],
		['txt', '{}', 'application/json', undefined],
		['tif', 'Not found', 'text/plain', undefined],
		['pdf', 'GIF89a', 'image/gif', 'attachment; filename="a.pdf"'],
		['jpg', '\u0089PNG\r\n', 'image/png', undefined],
		['pdf', `${bom}<!DOCTYPE html>`, 'application/pdf', 'attachment; filename="a.pdf"'],
		['', '<html>', 'application/octet-stream', undefined],
		['pdf', 'File not found.', 'application/octet-stream', undefined],
		['pdf', 'File not found.', undefined, undefined],
		['xlsx', 'Datei nicht gefunden: \u00c3\u00bc', undefined, 'attachment; filename="a.xlsx"'],
		['png', '', 'image/png', undefined],
		['png', '', undefined, 'attachment; filename="a.png"'],
		['php', '<!DOCTYPE html>', 'application/octet-stream', undefined],
		['mp4', '<!DOCTYPE html>', 'application/octet-stream', 'attachment; filename="a.mp4"'],
	])('named .%s is not %j (%s)', (extension, text, type, disposition) => {
		expect(isStored(extension, text, type, disposition)).toBe(false);
	});
});

describe('a MIME type', () => {
	it.each([
		['%PDF', undefined, '', 'application/pdf'],
		['%PDF', 'text/plain', 'txt', 'application/pdf'],
		['PK', 'application/vnd.ms-word.Macro', 'docm', 'application/vnd.ms-word.macro'],
		['PK', 'application/octet-stream', 'jar', 'application/zip'],
		['PK', undefined, 'ods', 'application/vnd.oasis.opendocument.spreadsheet'],
		['text', 'text/plain; charset=big5', 'txt', 'text/plain'],
		['text', 'application/octet-stream', 'html', 'text/html'],
		['text', undefined, 'unknown', 'application/octet-stream'],
		['', '', '', 'application/octet-stream'],
	])('of %j as %s, named .%s, is %s', (text, type, extension, expected) => {
		expect(mimeTypeOf(bytes(text), headers(type), extension)).toBe(expected);
	});
});
