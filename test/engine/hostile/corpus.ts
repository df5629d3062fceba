import { amount } from '../../amount';

/**
 * Texts that often break encoders, parsers, templates, file systems, databases and browsers. Invisible characters are written as
 * escapes.
 */

const codes = (first: number, last: number): string[] =>
	Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

/** Puts each character inside a text or around it, alternately. */
const around = (characters: readonly string[]): string[] =>
	characters.map((character, index) =>
		index % 2 === 0 ? `a${character}b` : `${character}a${character}`,
	);

const controls = [...codes(0x00, 0x1f), ...codes(0x7f, 0x9f)];

const halfPairs = [
	...['\ud800', '\udbff', '\udc00', '\udfff'].flatMap((half) => [half, `a${half}`, `${half}b`]),
	...['a\ud83d', '\ude00\ud83d', '\ud83d\ud83d\ude00', '😀\ude00', '\ud800%2F', '\ud800/../'],
];

const spaces = [' ', '\t', '\n', '\r', '\v', '\f', '\u00a0', '\u1680', '\u2003', '\u2028'];
const moreSpaces = ['\u2029', '\u202f', '\u205f', '\u3000', '\ufeff', '\r\n', '\u0085', '\u180e'];

const invisible = [
	...['\u00ad', '\u034f', '\u061c', '\u115f', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f'],
	...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2060', '\u2061', '\u2066', '\u2067'],
	...['\u2068', '\u2069', '\u206a', '\u3164', '\ufe0f', '\ufff9', '\ufffc', '\ufffd', '\ufffe'],
	...['\uffff', '\u{e0001}', '\u{e0020}', '\u{e007f}', '\u{10ffff}'],
];

const names = [
	...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'],
	...['__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'toJSON', 'then', 'length'],
	...['constructor.prototype', '__proto__.polluted', '__proto__[polluted]', 'a[__proto__][b]'],
	...['_recordId', '_rowId', '_subtable_2000001', '_DELSUB_2000001', 'DELSUB_2000001', '_svcId'],
	...['undefined', 'null', 'true', 'false', 'NaN', 'Infinity', 'None', 'nil', '[object Object]'],
];

const percents = [
	...['%', '%%', '%%%', '%2', '%2G', '%G2', '%zz', '%u0041', '%-1', '% 20', '100%', '100% off'],
	...['%2F', '%2f', '%5C', '%00', '%0', '%0A', '%0D%0A', '%20', '%25', '%2525', '%25252F', '%26'],
	...['%F0%9F%98%80', '%ED%A0%80', '%41%zz', 'a%2Cb,c', '50%25', '%252e%252e', '+', 'a+b', '%2B+ '],
];

const templates = [
	...['{{ }}', '{{ $json }}', '={{ 1 + 1 }}', '={{', '}}', '={{ $json.text }}', '{{7*7}}', '='],
	...['==', '=1+1', '=cmd|calc', '${1}', '${jndi:ldap://x/a}', '$json', '$1', '$&', '$$', "$'"],
	...['={{ $credentials.sheetRecordsApi }}', '{{ $env.HOME }}', '{{constructor.constructor(1)}}'],
];

const paths = [
	...['..', '.', '...', '/', '//', '\\', '../', '..\\', './', '/..', '../..', '../../etc/passwd'],
	...['a/./b', 'a//b', 'a/', '/a', 'a;b', ';', ';x=y', 'a;jsessionid=1', '?', '?x=y', '1?api&lock'],
	...['#', '#x', '1#/2', '@', 'a@b', '@host', 'user:word@host', ':', 'a:b', 'http://x/acme/a/1'],
	...['https://other.example/acme/sales/1', 'https://localhost/acme/sales/orders/1', 'file:///x/1'],
	...['javascript:1', 'data:,1', 'sales/orders/1/../../customers/2', 'sales/orders/1/lock', '1/2'],
];

const queries = [
	...['&', '&&', '=', 'a=b', 'a&b=c', '&limit=1', '&APIKey=x', '&sid=x', '&api', '&lock', '&='],
	...['&where=1000001,eq,x', 'x&recordId=1', 'a;b=c', ',', ',,', 'a,b', '1,eq,2', ',eq,', '|'],
	...['a[]=1', 'a[b]=1', 'limit', '&naming=FNAME', 'x&taskId=1', '&bId=4', '-1'],
];

const headers = [
	...['\r\n', '\n', '\r', 'a\r\nX-Injected: 1', 'a\nX-Injected: 1', 'a\r\n\r\n{}', 'a\rX: 1'],
	...['"; filename="x', 'a"; name="c', 'a\r\nContent-Type: text/html', 'a\r\n--boundary', '--'],
	...['a\u0085X: 1', 'a\u2028X: 1', 'a\u560d\u560aX: 1', ': ', 'Basic abc'],
];

const quotes = [
	...["'", '"', '`', '\\', '\\\\', "\\'", '\\"', "''", '""', '\u2018', '\u201c', '\u00b4'],
	...["' OR '1'='1", "'; DROP TABLE records; --", '" OR ""="', '1 UNION SELECT 1', '--'],
	...["admin'--", "%' AND 1=1", '1;SELECT 1', 'a\\', '\\0', '\\n', '\\x00', '$ne'],
	...['(', ')', '(*)(uid=*)', '[', ']', '[a-z]+', '(a+)+$', '^', '$', '.', '.*', '?', '|'],
];

const json = [
	...['{}', '{', '}', '[]', '[', '{"a":1}', '[1,2]', '["a","b"]', '"', '"a"'],
	...['{"__proto__":{"x":1}}'],
	...['{"status":"ERROR","code":302,"msg":"x"}', '{"a":1,"a":2}', '[[[[[[]]]]]]'],
	...['["a"', '[,]', '{"a"', "{'a':1}", '\ufeff{}', '//x', '[null]', '{"text":"\\ud800"}'],
];

const markup = [
	...['<', '>', '<a>', '</a>', '<br/>', '<script>x</script>', '<img src=x onerror=x>', '&lt;'],
	...['&#0;', '&#x1F600;', '<!--', '-->', ']]>', '<![CDATA[x]]>', '<!DOCTYPE html>', '<?xml?>'],
	...['<title>x</title>', '</script>', '"><svg/onload=x>', '[b]bold[/b]', '[url=x]y[/url]'],
];

const numbers = [
	...['0', '-0', '00', '007', '1', '42', '1.0', '1.10', '.5', '5.', '1e3', '1E400', '1e-400'],
	...['0b1', '0o7', '1_000', '1,000', '1.000,00', ' 1', '1 ', '+1', '--1', '1-'],
	...['\u0661\u0662', '１２', '1000011 '],
	...['9007199254740993', '12345678901234567890', '0.1234567890123456789', '999999999999999999'],
	...['9'.repeat(19), '9'.repeat(400), '2147483648', '-2147483649', '1n', '½', '²', '∞', '1000011'],
];

/** Dates, except in the format of Luxon values, which the node parses as times and writes as dates. */
const dates = [
	...['2026-01-31', '2026/01/31', '31.01.2026', '2026-02-30', '2026-01-31T10:00:00Z', '24:00'],
	...['2026-01-31T10:00:00,000+02:00', '2026/01/31 10:00', '2026/01/31 10:00:00', '0000-00-00'],
	...['2026-01-31 10:00', '+012026-01-31', 'Jan 1', 'now', '1769850000000', '2026-W05', 'P1D'],
];

const letters = [
	...['é', 'e\u0301', 'Å', 'A\u030a', 'ﬁ', 'ß', 'ẞ', 'İ', 'ı', 'Ǆ', 'ǅ', 'ΑΒΓ', 'привет', '報告'],
	...['한글', '\u1112\u1161\u11ab', 'العربية', 'עברית', 'ไทย', 'हिन्दी', '😀', '👩‍🚀', '👨‍👩‍👧‍👦'],
	...['a\u0300\u0301\u0302\u0303\u0304', `z${'\u0335'.repeat(60)}`, '𝒳', '𠮷'],
];

const long = [
	...['a'.repeat(255), 'a'.repeat(256), 'é'.repeat(300), '😀'.repeat(200), ' '.repeat(300)],
	...['../'.repeat(200), '%2F'.repeat(200), '%'.repeat(500), '"'.repeat(500), 'a,'.repeat(300)],
	...['0'.repeat(300), '&a=b'.repeat(200), 'a'.repeat(20_000), '漢'.repeat(7_000)],
];

/** Texts by the kind of problem that they can cause, without duplicates. */
export const nastyKinds: readonly string[][] = [
	around(controls),
	halfPairs,
	[...spaces, ...moreSpaces].flatMap((space) => [space, `a${space}b`, `${space}a`, `a${space}`]),
	around(invisible),
	...[names, percents, templates, paths, queries, headers, quotes, json, markup],
	...[numbers, dates, letters, long],
].map((texts, index, kinds) => [
	...new Set(texts.filter((text) => !kinds.slice(0, index).flat().includes(text))),
]);

/** One text of each kind, for parameters that are also tested elsewhere. */
export const fewTexts: readonly string[] = [
	...['__proto__', '../..', 'a&b=c', '%2F', 'a\r\nX-Injected: 1', '\ud800', "' OR '1'='1"],
	...['{"a":1}', '1#/2', '\\"', '漢'.repeat(7_000)],
];

/** Every twelfth text of each kind plus `fewTexts`; every third in long runs, and all texts in weekly runs. */
export const nastyTexts: readonly string[] = nastyKinds.flatMap((texts) =>
	texts.filter((text, index) => index % amount(12, 3, 1) === 0 || fewTexts.includes(text)),
);

/** Returns whether the text has an unpaired surrogate, which UTF-8 cannot encode. */
export function holdsHalfPair(text: string): boolean {
	return /\p{Surrogate}/u.test(text);
}
