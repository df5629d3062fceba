import fc from 'fast-check';
import { isAnswerInstead, mimeTypeOf } from '../../../../nodes/api/files/fileContent';
import { headLength } from '../../../../nodes/api/files/storedContent';
import { everyEntryMatters } from '../../everyEntry';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const headers = (type?: string, disposition?: string) => ({
	...(type === undefined ? {} : { 'content-type': type }),
	...(disposition === undefined ? {} : { 'content-disposition': disposition }),
});
const isDocument = (extension: string, text: string, type?: string) =>
	!isAnswerInstead(bytes(text), headers(type), { extension, isGenerated: true });
const isStored = (extension: string, text: string, type?: string, disposition?: string) =>
	!isAnswerInstead(bytes(text), headers(type, disposition), { extension, isGenerated: false });

const refusal = '{"status":"ERROR","code":404,"msg":"No"}';
const bom = '\u00ef\u00bb\u00bf';
const zip = 'PK\u0003\u0004';
const long = 'a long text '.repeat(50);
const image = (size: string) => [
	`\u0089PNG\r\n\u001a\n\0\0\0\rIHDR${`\0\0\0${size}`.repeat(2)}`,
	`GIF89a${`${size}\0`.repeat(2)}`,
];
const [blankPng = '', blankGif = ''] = image('\u0001');
const [smallPng = ''] = image('\u0008');
const named = (name: string) => `attachment; filename="${name}"`;

describe('a document of the service', () => {
	it.each([
		['pdf', '%PDF-1.7', 'application/pdf'],
		['xhtml', '<?xml version="1.0"?><html/>', 'text/html'],
		['xhtml', `${bom}\n<!-- made today --><html/>`, undefined],
		['', '{\\rtf1 Hello}', 'application/rtf'],
	])('a document of the form %j may begin with %j (%s)', (extension, text, type) => {
		expect(isDocument(extension, text, type)).toBe(true);
	});

	it.each([
		['xhtml', 'Not found', 'text/html'],
		['', `${bom}${refusal}`, undefined],
		['', 'No such template', 'application/octet-stream'],
		['', `Keine Vorlage f\u00c3\u00bcr ${long}`, undefined],
		['', blankGif, undefined],
	])('a document of the form %j does not begin with %j (%s)', (extension, text, type) => {
		expect(isDocument(extension, text, type)).toBe(false);
	});

	it.each(['pdf', 'xlsx', 'docx', 'png', 'xhtml', ''])(
		'an empty file or JSON is not a document of the form %j',
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

describe('the first bytes of an answer that end within a character', () => {
	const first = (text: string) => Buffer.from(text).subarray(0, headLength);
	const error = '找不到檔案。'.repeat(100);

	it.each([
		{ file: 'a stored PDF', extension: 'pdf', isGenerated: false },
		{ file: 'a stored archive', extension: '7z', isGenerated: false },
		{ file: 'a mail merge', extension: '', isGenerated: true },
	])(
		'a long error in Chinese without a content type is not $file',
		({ extension, isGenerated }) => {
			expect(new TextDecoder().decode(first(error))).toContain('\ufffd');
			expect(isAnswerInstead(first(error), {}, { extension, isGenerated })).toBe(true);
		},
	);

	it('bytes that are not UTF-8 before the last character are a binary file', () => {
		const binary = Buffer.concat([Buffer.from([0xe6, 0x41]), first(error)]);
		expect(isAnswerInstead(binary, {}, { extension: '7z', isGenerated: false })).toBe(false);
	});
});

describe('a stored file', () => {
	type StoredCase = readonly [string, string, string | undefined, string | undefined];

	it.each<StoredCase>([
		['pdf', '%PDF-1.7', 'text/plain', undefined],
		['pdf', '\u0000\u0001short', 'application/octet-stream', undefined],
		['png', smallPng, 'text/html', undefined],
		['json', refusal, 'application/json', named('a.json')],
		['txt', '', 'text/plain', undefined],
		...['pem', 'edi', 'py', 'vtt', 'dat', ''].map((extension): StoredCase => [
			...([extension, 'a short text', 'text/plain', undefined] as const),
		]),
		...['php', 'jsp', 'eml', 'txt', ''].map((extension): StoredCase => [
			...([extension, '<!DOCTYPE html><?php', 'application/octet-stream'] as const),
			named(`index.${extension}`),
		]),
	])('a stored file named .%s may be %j (%s, %s)', (extension, text, type, disposition) => {
		expect(isStored(extension, text, type, disposition)).toBe(true);
	});

	it.each<StoredCase>([
		['txt', blankGif, 'image/gif', undefined],
		['pdf', 'File not found', 'text/plain', undefined],
		['png', blankPng, 'image/png', undefined],
		['png', '', undefined, undefined],
	])('a stored file named .%s is not %j (%s, %s)', (extension, text, type, disposition) => {
		expect(isStored(extension, text, type, disposition)).toBe(false);
	});
});

it.each([
	{ text: '%PDF', type: undefined, extension: '', expected: 'application/pdf' },
	{
		text: zip,
		type: 'application/vnd.ms-word.Macro',
		extension: 'docm',
		expected: 'application/vnd.ms-word.macro',
	},
	{
		text: '\u00ef\u00bb\u00bf %PDF',
		type: 'text/html',
		extension: '',
		expected: 'application/pdf',
	},
	{ text: zip, type: 'text/html', extension: '', expected: 'application/zip' },
	{ text: zip, type: 'text/plain', extension: 'docm', expected: 'application/zip' },
	{ text: 'text', type: 'text/plain; charset=big5', extension: 'txt', expected: 'text/plain' },
	{ text: 'text', type: 'application/octet-stream', extension: 'html', expected: 'text/html' },
	{
		text: 'text',
		type: undefined,
		extension: 'html',
		disposition: named('a.xlsx'),
		expected: 'text/html',
	},
	{
		text: 'text',
		type: undefined,
		extension: '',
		disposition: named('a.html'),
		expected: 'text/html',
	},
])(
	'the MIME type of $text as $type, named .$extension, is $expected',
	({ text, type, extension, disposition, expected }) => {
		const file = { extension, isGenerated: false };
		expect(mimeTypeOf(bytes(text), headers(type, disposition), file)).toBe(expected);
	},
);

it.each(['html', 'mhtml', 'svg', 'xml'])(
	'a stored file of the form %s may be a web page',
	(extension) => {
		expect(isStored(extension, '<!DOCTYPE html><html></html>', 'text/html')).toBe(true);
	},
);

const formats: ReadonlyArray<
	readonly [start: string, type: string, extensions: readonly string[]]
> = [
	['%PDF', 'application/pdf', ['pdf']],
	['{\\rtf', 'application/rtf', ['rtf']],
	[zip, 'application/zip', ['zip', 'docx', 'odt', 'ods', 'pptx', 'xlsx']],
	['GIF8', 'image/gif', ['gif']],
	['\u00ff\u00d8\u00ff', 'image/jpeg', ['jpg', 'jpeg']],
	['\u0089PNG', 'image/png', ['png']],
];
const typesByName = {
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	html: 'text/html',
	ods: 'application/vnd.oasis.opendocument.spreadsheet',
	odt: 'application/vnd.oasis.opendocument.text',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	xhtml: 'application/xhtml+xml',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const markupExtensions = ['html', 'htm', 'mhtml', 'svg', 'xht', 'xhtml', 'xml'];
const textTypes = ['application/json', 'text/html', 'text/plain'];

type Tested = typeof import('../../../../nodes/api/files/fileContent');
const typeByStart = ({ mimeTypeOf: typeOf }: Tested) =>
	formats.map(([start]) => typeOf(bytes(start), {}, { extension: '', isGenerated: false }));
const typeByName = ({ mimeTypeOf: typeOf }: Tested) =>
	Object.keys(typesByName).map((extension) =>
		typeOf(bytes('\0'), {}, { extension, isGenerated: false }),
	);
const archiveTypes = ({ mimeTypeOf: typeOf }: Tested) =>
	['docx', 'odt', 'ods', 'pptx', 'xlsx', 'zip'].map((extension) =>
		typeOf(bytes(zip), {}, { extension, isGenerated: true }),
	);
const wrongDocuments = ({ isAnswerInstead: isWrong }: Tested) => [
	...formats.flatMap(([start, , extensions]) =>
		extensions.map((extension) => isWrong(bytes(start), {}, { extension, isGenerated: true })),
	),
	...markupExtensions.map((extension) =>
		isWrong(bytes('<a/>'), headers('text/html'), { extension, isGenerated: true }),
	),
];
const textAnswers = ({ isAnswerInstead: isWrong }: Tested) =>
	textTypes.map((type) =>
		isWrong(bytes('\0\u0001'), headers(type), { extension: '', isGenerated: true }),
	);

it('the first bytes or the name of a file tell its MIME type', () => {
	expect(typeByStart({ isAnswerInstead, mimeTypeOf })).toEqual(formats.map(([, type]) => type));
	expect(typeByName({ isAnswerInstead, mimeTypeOf })).toEqual(Object.values(typesByName));
	const { docx, odt, ods, pptx, xlsx } = typesByName;
	const expected = [docx, odt, ods, pptx, xlsx, 'application/zip'];
	expect(archiveTypes({ isAnswerInstead, mimeTypeOf })).toEqual(expected);
});

it('a document of each form is recognized, and so is an answer in place of a document', () => {
	expect(new Set(wrongDocuments({ isAnswerInstead, mimeTypeOf }))).toEqual(new Set([false]));
	expect(new Set(textAnswers({ isAnswerInstead, mimeTypeOf }))).toEqual(new Set([true]));
});

everyEntryMatters<Tested>('nodes/api/files/fileContent.ts', (tested) =>
	[typeByStart, typeByName, archiveTypes, wrongDocuments, textAnswers].map((outcomes) =>
		outcomes(tested),
	),
);

it('the header names the file if the stored value has no extension', () => {
	const file = { extension: '', isGenerated: false };
	expect(mimeTypeOf(bytes('\0'), headers(undefined, named('a.docx')), file)).toBe(typesByName.docx);
});

it('an answer in the form of an error is the file if the header names it', () => {
	expect(isStored('pdf', 'Not found', 'text/plain', named('a.pdf'))).toBe(true);
	expect(isStored('pdf', 'Not found', 'text/plain', named('a.txt'))).toBe(false);
});

it.each(['', 'pdf', 'docx', 'png'])('a web page is not a document of the form %j', (extension) => {
	expect(isDocument(extension, '<html></html>', 'application/octet-stream')).toBe(false);
});

it('unknown bytes are a document only if its form is not known', () => {
	expect(['', 'pdf', 'docx'].map((extension) => isDocument(extension, '\0\u0001'))).toEqual([
		...[true, false, false],
	]);
});

it('an archive without a known extension is a mail merge, and thus a Word document', () => {
	const types = [true, false].map((isGenerated) =>
		mimeTypeOf(bytes(zip), {}, { extension: '', isGenerated }),
	);
	expect(types).toEqual([typesByName.docx, 'application/zip']);
});

it('white space and parameters are no part of the media type', () => {
	const file = { extension: '', isGenerated: false };
	expect(mimeTypeOf(bytes('text'), headers(' Text/CSV ; header=present'), file)).toBe('text/csv');
});
