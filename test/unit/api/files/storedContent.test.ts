import { isErrorInstead } from '../../../../nodes/api/files/storedContent';
import { everyEntryMatters } from '../../everyEntry';

/** Extension of the stored file, media type and text of the answer. */
type Sample = readonly [extension: string, type: string, text: string];
type IsError = typeof isErrorInstead;

const refusal = '{"status":"ERROR","msg":"No"}';
const errorPage = '<html><title>Error</title></html>';
const page = (words: string) => `<html>${words}</html>`;
const as =
	(type: string, text: string) =>
	(extension: string): Sample => [extension, type, text];

const binaryExtensions = (
	'7z ai avi bmp docm docx dwg exe gif gz heic jar jfif jpe jpeg jpg m4a m4v mdb mkv mov mp3 mp4 msg odp ods odt ogg ' +
	'pdf png pps ppsx ppt pptx psd rar skp tar tif tiff vsd vsdx wav webm webp wma wmv xlsb xlsm zip'
).split(' ');
const officeExtensions = 'doc dot rtf wps wri xls xlsx xlt xlw'.split(' ');
const jsonExtensions =
	'geojson gltf har ipynb json json5 jsonc jsonl jsonld map ndjson topojson webmanifest'.split(' ');
const pageExtensions =
	'asp aspx cfm eml hta htm html jsp jspx mht mhtml php shtml svg vue xht xhtml xml xsl xslt'.split(
		' ',
	);
const identityCodes = ['105', '106', '301', '302', '304'];
const titles = [
	...['Error', 'Not found', 'Denied', 'Forbidden', 'Unauthorised', 'Expired', 'Unavailable'],
	...[
		'Bad gateway',
		'Time-out',
		'Exception',
		'HTTP Status',
		'502',
		'找不到',
		'錯誤',
		'错误',
		'Fehler',
	],
];
const messages = [
	...[
		'Not found',
		'It cannot be opened',
		'The file does not exist',
		'No such file',
		'No longer here',
	],
	...['No access', 'No permission', 'No right', 'An error', 'Exception', 'Denied', 'Forbidden'],
	...['Unauthorized', 'Invalid', 'Expired', 'Cannot', "Can't open", 'Could not open', 'Unable'],
	...['Failed', 'Unavailable', 'Maintenance', 'Time-out', 'Log in', 'Sign in', '找不到', '不存在'],
	...['錯誤', '错误', '權限', '权限', '無法', '无法', 'Nicht gefunden', 'Fehler', 'Introuvable'],
	'No se encontró',
];
const firstWords = [
	...['file', 'page', 'document', 'record'].map((noun) => `The ${noun} is not here`),
	'The requested file is no longer here',
	...["File isn't here", 'Access denied', 'Error', 'Please log in', 'You are not a member'],
	...['You have no file', 'You do not have it'],
];

const errors: Sample[] = [
	...binaryExtensions.map(as('text/plain', 'A short text')),
	...officeExtensions.map(as('text/plain', 'Not found')),
	...messages.map((words): Sample => ['doc', 'text/plain', words]),
	...['errorCode', 'errCode', 'code'].map((key): Sample => [
		...(['json', 'application/json', `{"status":"ERROR","${key}":"106"}`] as const),
	]),
	...identityCodes.map((code): Sample => [
		...(['json', 'application/json', `{"status":"ERROR","code":${code}}`] as const),
	]),
	...['status', 'state'].map((key): Sample => ['txt', 'application/json', `{"${key}":"ERROR"}`]),
	...['INVALID', 'FAILED'].map((word): Sample => [
		...(['txt', 'application/json', `{"status":"${word}"}`] as const),
	]),
	...['error', 'errorCode', 'errCode', 'errMsg'].map((key): Sample => [
		...(['txt', 'application/json', `{"${key}":5}`] as const),
	]),
	...pageExtensions.map(as('text/html', refusal)),
	...['msg', 'message'].map((key): Sample => [
		...(['txt', 'application/json', `{"code":404,"${key}":"No"}`] as const),
	]),
	...['text/html', 'text/plain', 'text/xml', 'application/json', 'application/xml', ''].map(
		(type): Sample => ['png', type, 'A short text'],
	),
	...['application/xhtml+xml', 'application/problem+json', 'application/octet-stream'].map(
		(type): Sample => ['png', type, 'A short text'],
	),
	...['<!doctype html>', '<html>', '<head>', '<body>'].map((start): Sample => [
		...(['txt', 'application/json', `${start}<title>Error</title>`] as const),
	]),
	...['type="password"', '<form action="/login">', '<form id="signin">', '<form class="auth">'].map(
		(words): Sample => ['txt', 'text/html', page(words)],
	),
	...['Log in', 'Sign in', '登入', '登录', 'Anmelden', 'Session'].map((title): Sample => [
		...(['txt', 'text/html', page(`<title>${title}</title>`)] as const),
	]),
	...titles.map((title): Sample => ['txt', 'text/html', page(`<title>${title}</title>`)]),
	...titles.map((title): Sample => ['txt', 'text/html', page(`<h1>${title}</h1>`)]),
	...firstWords.map((words): Sample => ['txt', 'text/html', page(`<body><p>${words}</p>`)]),
];

const files: Sample[] = [
	...jsonExtensions.map(as('application/json', refusal)),
	...pageExtensions.map(as('text/html', errorPage)),
	...pageExtensions.map(as('application/xhtml+xml', errorPage)),
	...['xml', 'html', 'rss', 'gpx', 'kml', 'xsd', 'atom'].flatMap((extension): Sample[] => [
		[extension, 'text/xml', refusal],
		[extension, 'application/xml', refusal],
	]),
	...['csv', 'txt', ''].map(as('application/octet-stream', refusal)),
	...['csv', 'txt'].map(as('text/plain', refusal)),
	...['html', 'json'].map(as('', refusal)),
	['png', 'image/png', 'A short text'],
	['xls', 'text/html', page('<table><tr><td>Article</td></tr></table>')],
	['xls', 'text/html', page(`<body><table>Error</table>`)],
	['pdf', 'text/html', '<html xmlns:o="urn:schemas-microsoft-com:office:office">Dear Ms Li</html>'],
	['pdf', 'text/html', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>'],
	['pdf', 'text/html', '<?xml version="1.0"?><svg></svg>'],
];

const isError = (test: IsError, [extension, type, text]: Sample) =>
	test(Buffer.from(text), { extension, type });

describe('texts at the limits', () => {
	const long = 'x'.repeat(500);

	it.each<[what: string, isRefused: boolean, ...Sample]>([
		['the longest short text', true, 'png', 'text/plain', long],
		['a longer text', false, 'png', 'text/plain', `${long}x`],
		['three lines', true, 'png', 'text/plain', 'a\nb\nc'],
		['four lines', false, 'png', 'text/plain', 'a\nb\nc\nd'],
		// The first 1,024 bytes of a longer file may end within an object.
		['nothing without a media type', true, 'txt', '', ''],
		['nothing as a page', true, 'png', 'text/html', ' \n'],
		['nothing as an image', false, 'png', 'image/png', ''],
		['nothing as bytes', false, 'png', 'application/octet-stream', ''],
		['nothing as a text', false, 'txt', 'text/plain', ''],
		['a whole object with an error', true, 'txt', 'application/json', refusal],
		['half an object', false, 'txt', 'application/json', refusal.slice(0, -1)],
		...([1_023, 1_024] as const).map((length): [string, boolean, ...Sample] => [
			...([`an object that goes on after ${length} bytes`, length === 1_024] as const),
			...(['txt', 'application/json', `{"status":"ERROR","msg":"`.padEnd(length, 'x')] as const),
		]),
	])('%s as an answer', (_, isRefused, ...sample) => {
		expect(isError(isErrorInstead, sample)).toBe(isRefused);
	});
});

it.each(errors)('an answer is not the stored file named .%s: %s %s', (...sample) => {
	expect(isError(isErrorInstead, sample)).toBe(true);
});

it.each(files)('an answer may be the stored file named .%s: %s %s', (...sample) => {
	expect(isError(isErrorInstead, sample)).toBe(false);
});

everyEntryMatters<{ isErrorInstead: IsError }>('nodes/api/files/storedContent.ts', (tested) =>
	[...errors, ...files].map((sample) => isError(tested.isErrorInstead, sample)),
);
