/** Content, as Latin-1 text, that the service returns for a stored file, with the headers of the answer. */
export type StoredCase = readonly [
	name: string,
	content: string,
	type?: string,
	disposition?: string,
];
type Case = StoredCase;

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

const usualFiles: Case[] = [
	['report', '<html><head><title>Error report</title></head></html>', 'text/html', named('r.html')],
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

const usualAnswers: Case[] = [
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

/** Returns the bytes of a text in an encoding, as Latin-1 text. */
const bytes = (text: string, encoding: 'utf8' | 'utf16le') =>
	Buffer.from(text, encoding).toString('latin1');
/** Returns a file as the service may send it: with each of these media types. */
const withTypes = (name: string, content: string, ...types: Array<string | undefined>): Case[] =>
	types.map((type): Case => [name, content, type]);

const bom = '\u00ef\u00bb\u00bf';
const plain = 'text/plain';
const json = 'application/json';
const htmlMail = `From: a@b.example\r\nContent-Type: text/html\r\n\r\n${page}`;
const archived = 'From: <Saved by Blink>\r\nSubject: Login\r\nMIME-Version: 1.0\r\n\r\n';
const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Error Müller\r\nEND:VCARD\r\n';
const calendar = 'BEGIN:VCALENDAR\r\nSUMMARY:Login not found\r\nEND:VCALENDAR\r\n';
const log = '2026-11-26 ERROR 404 File not found: /a.pdf\n2026-11-26 ERROR Access denied\n';
const sql = "INSERT INTO errors VALUES (1, 'not found');\n";
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>Error</title></svg>';
const invoice =
	'<?xml version="1.0"?><rsm:CrossIndustryInvoice><Note>Not found</Note></rsm:CrossIndustryInvoice>';
const longList = `{"error":null,"rows":[${'{"id":1,"name":"x"},'.repeat(100)}]}`;
const lines = '{"level":"error","code":500,"msg":"No"}\n{"level":"info","code":0,"msg":"Yes"}\n';
const gif = 'GIF89a\u0001\0\u0001\0\u0080\0\0';
const loginForm =
	'<!DOCTYPE html><html><head><title>Log in</title></head><body><form action="/AUTH"><input type="password"></form></body></html>';

/** Files of offices with uncommon encodings, extensions and words. */
const uncommonFiles: Case[] = [
	...withTypes('a.csv', bytes(`\ufeff${csv}`, 'utf16le'), 'text/csv', plain, stream, undefined),
	...withTypes('a.csv', bytes(csv, 'utf16le'), 'text/csv', stream, undefined),
	...withTypes('a.csv', `${bom}${csv}`, 'text/csv', plain, stream, undefined),
	...withTypes('a.json', `${bom}{"error":"none"}`, json, stream, undefined),
	...withTypes('mail.eml', htmlMail, 'message/rfc822', plain, stream, 'text/html', undefined),
	...withTypes('page.mht', `${archived}${page}`, 'message/rfc822', plain, stream, undefined),
	...withTypes('a.vcf', card, 'text/vcard', 'text/x-vcard', plain, stream, undefined),
	...withTypes('a.ics', calendar, 'text/calendar', plain, stream, undefined),
	...withTypes('a.log', log, plain, stream, undefined, 'text/html'),
	...withTypes('a.log', lines, plain, stream, undefined, json),
	...withTypes('a.sql', sql, 'application/sql', plain, stream, undefined),
	...withTypes('a.svg', svg, 'image/svg+xml', 'text/xml', stream, undefined),
	...withTypes('logo.png', svg, 'image/svg+xml', stream, undefined),
	...withTypes('error.htm', loginForm, 'text/html', stream, undefined),
	...withTypes('invoice.xml', invoice, 'application/xml', 'text/xml', plain, stream, undefined),
	...withTypes('a.json', longList, json, plain, stream, undefined),
	...withTypes('a.json', '{"error":{"code":1,"msg":"x"},"items":[]}', json, stream, undefined),
	...withTypes('a.txt', '{"error":"in an export"}', plain, stream),
	...withTypes('empty.txt', '', plain, stream),
	['empty.txt', '', undefined, named('empty.txt')],
	...withTypes('a.txt', 'File not found', plain, stream, undefined),
	...withTypes('a.md', '# Errors\n\nPage not found means ...', plain, 'text/markdown', stream),
	...withTypes('a.doc', '{\\rtf1 Access denied}', 'application/msword', plain, stream, undefined),
	...withTypes('a.xlsx', 'PK\u0003\u0004\0', excel, 'application/zip', stream, undefined),
	['dot.gif', gif, 'image/gif', named('dot.gif')],
	...withTypes('wide.gif', 'GIF89a\u0002\0\u0001\0\u0080\0\0', 'image/gif', stream, undefined),
	...withTypes('a.dat', '1;2;3\nERROR;0;0\n', plain, stream, undefined),
	...withTypes('id_rsa.pub', 'ssh-rsa AAAAB3NzaC1yc2E= me@host', plain, stream, undefined),
	...withTypes('flash.bin', ':10010000214601360121470136007EFE09D2190140', plain, stream),
	...withTypes('LICENSE', 'Permission denied is no error here', plain, stream, undefined),
	...withTypes('README', error, stream),
	...withTypes('a.yaml', 'error: true\nmessage: not found\n', plain, stream, undefined),
	...withTypes('a.xls', `${tabs}Error\t0\n`, excel, plain, stream, 'text/html', undefined),
	...withTypes('report.xls', table.replace('Article', 'Error not found'), excel, 'text/html'),
	...withTypes('error report.xls', '<html><head><title>Error report</title>', excel),
	...withTypes('a.ps', '%!PS-Adobe-3.0\n% error handler\n', 'application/postscript', stream),
	['übersicht.csv', csv, 'text/csv', "attachment; filename*=UTF-8''%C3%BCbersicht.csv"],
];

/** Answers in place of files, with uncommon forms. */
const uncommonAnswers: Case[] = [
	['a.csv', loginForm, 'text/html'],
	['mail.msg', loginForm, 'text/html;charset=UTF-8'],
	['a.txt', `${bom}${loginForm}`, 'text/html'],
	['a.pdf', `\r\n\r\n${loginForm}`, undefined],
	['a.pdf', loginForm, stream],
	['a.docx', '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', 'application/xml'],
	['a.xlsx', '{"success":false,"message":"File not found"}', json],
	['a.csv', '{"status":"ERROR","code":404,"msg":"File not found"}', json],
	['a.txt', '{"status":"error","errorCode":404,"msg":"File not found"}', json],
	['a.log', '{"error":"File not found"}', 'application/problem+json'],
	['a.jpg', 'Not found', 'text/plain'],
	['a.heic', 'No access right', undefined],
	['a.pdf', '\u00e6\u0089\u00be\u00e4\u00b8\u008d\u00e5\u0088\u00b0', 'text/plain'],
	['a.csv', '<html><head><title>502 Bad Gateway</title></head><body></body></html>', 'text/html'],
	['a.mp4', '<html><body>Service Unavailable</body></html>', undefined],
	['a.csv', '', 'text/html'],
	['a.jpg', '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\u0001\0\0\0\u0001', 'image/png'],
];

export const files = [...usualFiles, ...uncommonFiles];
export const answers = [...usualAnswers, ...uncommonAnswers];

/** Returns the headers of the answer. */
export function headersOf([, , type, disposition]: StoredCase): Record<string, string> {
	return {
		...(type === undefined ? {} : { 'content-type': type }),
		...(disposition === undefined ? {} : { 'content-disposition': disposition }),
	};
}

/** Returns name, content and headers in one line, for the title of a test. */
export function titleOf([name, content, ...headers]: StoredCase): string {
	const visible = JSON.stringify(content.slice(0, 60));
	return [name, visible, ...headers.map((header) => header ?? 'no type')].join(', ');
}
