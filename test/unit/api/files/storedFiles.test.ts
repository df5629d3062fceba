import { isAnswerInstead } from '../../../../nodes/api/files/fileContent';
import { extensionOf } from '../../../../nodes/api/values/fileNames';

type Case = readonly [name: string, content: string, type?: string, disposition?: string];

const isRefused = ([name = '', content = '', type, disposition]: ReadonlyArray<
	string | undefined
>) =>
	isAnswerInstead(
		Buffer.from(content, 'latin1'),
		{
			...(type === undefined ? {} : { 'content-type': type }),
			...(disposition === undefined ? {} : { 'content-disposition': disposition }),
		},
		{ extension: extensionOf(name), isGenerated: false },
	);

const named = (name: string) => `attachment; filename="${name}"`;
const table = '<html><body><table><tr><td>Article</td><td>12</td></tr></table></body></html>';
const word =
	'<html xmlns:o="urn:schemas-microsoft-com:office:office"><body>Dear Ms Li</body></html>';
const xml2003 = '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>';
const tabs = 'Article\tQuantity\nBolt\t12\nNut\t4\n';
const csv = 'Article,Quantity\r\nBolt,12\r\n';
const jpeg = '\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF\0';
const error = '{"status":"ERROR","code":404,"msg":"No"}';
const page = '<!DOCTYPE html><html><head><title>My holidays</title></head><body>Sun</body></html>';
const ole = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1\0\0';
const excel = 'application/vnd.ms-excel';
const stream = 'application/octet-stream';

const files: Case[] = [
	...([undefined, stream, excel, 'text/html'] as const).map((type): Case => ['a.xls', table, type]),
	...([undefined, stream, excel, 'text/xml'] as const).map((type): Case => [
		'a.xls',
		xml2003,
		type,
	]),
	...([undefined, stream, excel, 'text/plain'] as const).map((type): Case => ['a.xls', tabs, type]),
	...([undefined, stream, 'application/msword', 'text/html'] as const).map((type): Case => [
		'a.doc',
		word,
		type,
	]),
	...([undefined, stream, 'text/plain'] as const).map((type): Case => [
		'a.doc',
		'{\\rtf1 Hello}',
		type,
	]),
	...([undefined, stream, 'text/plain', 'text/csv'] as const).map((type): Case => [
		'a.xlsx',
		csv,
		type,
	]),
	...([undefined, stream, 'application/pdf'] as const).map((type): Case => [
		'a.xlsx',
		'%PDF-1.7',
		type,
	]),
	...([undefined, stream, 'image/jpeg', 'application/pdf'] as const).map((type): Case => [
		'a.pdf',
		jpeg,
		type,
	]),
	['map.geojson', '{"type":"FeatureCollection","features":[]}', 'application/json'],
	['map.geojson', '{"type":"FeatureCollection","features":[]}', stream],
	['a.ipynb', '{"cells":[],"nbformat":4}', 'application/json'],
	['a.har', '{"log":{"version":"1.2"}}', 'application/json'],
	['a.webmanifest', '{"name":"App"}', 'application/manifest+json'],
	...['txt', 'csv', 'php', 'md', 'log', 'html', 'eml'].flatMap((extension): Case[] => [
		[`a.${extension}`, page, stream],
		[`a.${extension}`, '<b>Hello</b>', undefined],
	]),
	['README', '<p>Hello</p>', 'text/plain'],
	['README', page, stream],
	['notes.txt', page, 'text/html'],
	['notes.md', page, 'text/plain'],
	[
		'login.html',
		'<html><title>Login</title><form><input type="password"></form></html>',
		'text/html',
	],
	['login.txt', '<html><title>Login</title></html>', 'text/plain'],
	['a.json', error, 'application/json'],
	['a.json', error, stream, named('a.json')],
	['a.txt', error, 'text/plain'],
	['a.txt', error, undefined, named('a.txt')],
	['a.txt', '', 'text/plain'],
	['a.bin', '', stream],
	['a.png', '', 'image/png'],
	['a.pdf', '', undefined, named('a.pdf')],
	['mail.msg', ole, stream],
	['mail.msg', ole, 'text/html'],
	['mail.eml', 'From: a@b.example\r\nSubject: Error\r\n\r\nHello', 'message/rfc822'],
	['mail.eml', 'From: a@b.example\r\nSubject: Error\r\n\r\nHello', undefined],
	['plan.dwg', 'AC1027\0\0\0', 'image/vnd.dwg'],
	['plan.dwg', 'AC1027\0\0\0', undefined],
	[
		'_clipboard1700000000000.png',
		'\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0008\0\0\0\u0008',
		'image/png',
	],
	['dot.gif', 'GIF89a\u0001\0\u0001\0', 'image/gif', named('dot.gif')],
	['a.png', '\u00ff\u00d8\u00ff', 'image/jpeg'],
	['a.zip', 'PK\u0003\u0004', 'text/plain'],
];

const answers: Case[] = [
	['a.pdf', '<html><title>Log in</title><form><input type="password"></form></html>', 'text/html'],
	['a.xls', '<html><title>Log in</title><form><input type="password"></form></html>', 'text/html'],
	['a.doc', '<html><body><form action="/login.jsp">Please</form></body></html>', 'text/html'],
	['a.txt', '<!DOCTYPE html><title>Sign in</title>', 'text/html'],
	['a.pdf', page, 'text/html'],
	['a.png', `<html>${'x'.repeat(3000)}</html>`, 'text/html'],
	['a.xls', '<html><title>Error 404 - File not found</title></html>', 'text/html'],
	['a.xlsx', '<html><body>The requested file was not found</body></html>', 'text/html'],
	['a.txt', '<html><head><title>403 Forbidden</title></head></html>', 'text/html'],
	[
		'a.csv',
		'<html><body><h1>HTTP Status 500 - Internal Server Error</h1></body></html>',
		'text/html',
	],
	['a.pdf', error, 'application/json'],
	['a.xlsx', error, 'application/json'],
	['a.xls', error, undefined],
	['README', error, 'text/html'],
	['a.json', '{"status":"ERROR","code":106,"msg":"No access right."}', 'application/json'],
	['a.zip', '{"error":"denied"}', 'application/json'],
	['a.pdf', '{"code":404,"msg":"No"}', undefined],
	['a.pdf', 'File not found', 'text/plain'],
	['a.xlsx', 'File not found', 'text/plain'],
	['a.doc', 'The file does not exist.', undefined],
	['a.7z', '\u00e6\u0089\u00be\u00e4\u00b8\u008d\u00e5\u0088\u00b0'.repeat(300), undefined],
	['a.gif', 'GIF89a\u0001\0\u0001\0', 'image/gif'],
	['a.pdf', 'GIF89a\u0001\0\u0001\0', 'image/gif'],
	['a.pdf', '', undefined],
];

it.each<Case>(files)(
	'the stored file %s with the content %j is downloaded (%s, %s)',
	(...file) => {
		expect(isRefused(file)).toBe(false);
	},
);

it.each<Case>(answers)(
	'an answer to the request for %s is not the file: %j (%s)',
	(...answer) => {
		expect(isRefused(answer)).toBe(true);
	},
);

it('the corpus has at least 60 files and 20 other answers', () => {
	expect(files.length).toBeGreaterThanOrEqual(60);
	expect(answers.length).toBeGreaterThanOrEqual(20);
});
