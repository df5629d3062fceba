import fc from 'fast-check';
import {
	dispositionName,
	extensionOf,
	fileValuesOf,
	isSurelyFile,
	safeFileName,
	storedFileName,
} from '../../../../nodes/api/values/fileNames';

/** Characters of file names, including unusual ones. */
const names = fc.string({
	unit: fc.oneof(
		fc.constantFrom(...'"\'\\;=/@%*+ .,é\u{1f389}報\r\n\u0000\u202e'),
		fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
	),
	minLength: 1,
});
const encoded = (name: string) =>
	encodeURIComponent(name).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);

describe('the name in a header', () => {
	it.each([
		['attachment; filename = a b.pdf ; size=3', 'a b.pdf'],
		['inline; FileName="a\\"b\\\\c.pdf"', 'a"b\\c.pdf'],
		["attachment; filename*=UTF-8''%e2%82%ac.pdf", '€.pdf'],
		['attachment;  filename* = "UTF-8\'en\'%e2%82%ac.pdf"; size=3', '€.pdf'],
		["attachment;filename*=utf-8''a.pdf;filename=b.pdf", 'a.pdf'],
		["attachment; filename*=UTF-8''%E2%82.pdf; filename=a.pdf", 'a.pdf'],
		['attachment;filename="a.pdf"', 'a.pdf'],
		['attachment; filename  =  "a;b.pdf"', 'a;b.pdf'],
		['attachment;filename=a.pdf', 'a.pdf'],
		['attachment; filename="a.pdf"; filename="b.pdf"', 'a.pdf'],
		['attachment; filename="報告.pdf"', '報告.pdf'],
		['attachment; filename="S\u00fc\u00df.pdf"', 'Süß.pdf'],
		['attachment; filename="%E2%82%AC.pdf"', '€.pdf'],
		["attachment; filename*=ISO-8859-1''S%FC%DF.pdf", 'Süß.pdf'],
		['attachment; filename="a; filename*=UTF-8\'\'b.pdf"', "a; filename*=UTF-8''b.pdf"],
		['attachment; filename="=?what?B?YQ==?="', '=?what?B?YQ==?='],
	])('a file name in a header is read: %s', (header, name) => {
		expect(dispositionName(header)).toBe(name);
	});

	it.each([
		...[undefined, '', 'inline', 'filename'],
		...['attachment; filename=', 'attachment; filename=""'],
	])('a header without a file name yields none: %j', (header) => {
		expect(dispositionName(header)).toBeUndefined();
	});

	it('a file name survives the encoded form, and quotes, as UTF-8 bytes', () => {
		fc.assert(
			fc.property(names, (name) => {
				const header = `attachment; filename="x"; filename*=UTF-8''${encoded(name)}`;
				expect(dispositionName(header)).toBe(name);
				if (/%[0-9a-f]{2}/i.test(name)) return;
				const raw = Buffer.from(name).toString('latin1').replace(/["\\]/g, '\\$&');
				expect(dispositionName(`attachment; filename="${raw}"`)).toBe(name);
			}),
			{ examples: [['\ufffd\0']] },
		);
	});
});

it('a stored value contains the file name after its first @', () => {
	expect(storedFileName('kq2Ab@a@b.pdf')).toBe('a@b.pdf');
});

describe('a safe file name', () => {
	it('a safe file name is valid in any folder, with at most 255 bytes', () => {
		fc.assert(
			fc.property(names, (name) => {
				const safe = safeFileName(name, 'file');
				expect(safe).not.toMatch(/[/\\\p{Cc}\u202e]/u);
				expect(safe.trim()).not.toBe('');
				expect(['.', '..']).not.toContain(safe);
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
				expect(safe).not.toMatch(/\p{Cs}/u);
				expect(safeFileName(safe, 'file')).toBe(safe);
			}),
		);
	});

	it('a shortened file name keeps its extension', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', minLength: 200, maxLength: 300 }), (name) => {
				const safe = safeFileName(`a${name}b.docx`, 'file');
				expect(safe.endsWith('.docx')).toBe(true);
				expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
			}),
		);
	});

	it.each([
		{ name: ' a.pdf ', safe: 'a.pdf' },
		{ name: 'a/b\\c\nd.pdf', safe: 'a_b_c_d.pdf' },
		{ name: '\u202ea\u2066b\u2028.pdf', safe: '_a_b_.pdf' },
		{ name: `${'a'.repeat(300)}.docx`, safe: `${'a'.repeat(55)}.docx` },
		{ name: `${'a'.repeat(300)}.elevenchars`, safe: `${'a'.repeat(48)}.elevenchars` },
		{ name: `${'a'.repeat(300)}.twelve chars`, safe: 'a'.repeat(60) },
	])('the safe name of $name is $safe', ({ name, safe }) => {
		expect(safeFileName(name, 'file')).toBe(safe);
	});

	it('a long name without an extension is shortened to 60 characters', () => {
		expect(safeFileName('a'.repeat(256), 'file')).toBe('a'.repeat(60));
		expect(safeFileName('a'.repeat(255), 'file')).toBe('a'.repeat(255));
	});

	it.each([
		{
			...{ characters: '85 Chinese characters', bytes: 255 },
			...{ name: '報'.repeat(85), safe: '報'.repeat(85) },
		},
		{
			...{ characters: '86 Chinese characters', bytes: 258 },
			...{ name: '報'.repeat(86), safe: '報'.repeat(60) },
		},
		{
			...{ characters: '100 Chinese characters and .pdf', bytes: 304 },
			...{ name: `${'報'.repeat(100)}.pdf`, safe: `${'報'.repeat(56)}.pdf` },
		},
		{
			...{ characters: 'a letter, 70 emojis and .pdf', bytes: 285 },
			...{ name: `a${'🎉'.repeat(70)}.pdf`, safe: `a${'🎉'.repeat(55)}.pdf` },
		},
	])('a file name of $characters, $bytes bytes, fits common file systems', (row) => {
		expect(Buffer.byteLength(row.name)).toBe(row.bytes);
		expect(safeFileName(row.name, 'file')).toBe(row.safe);
	});

	it('a replacement for an unsafe file name is shortened, too', () => {
		expect(safeFileName('..', `${'報'.repeat(100)}.pdf`)).toBe(`${'報'.repeat(56)}.pdf`);
	});

	it.each(['', ' ', '.', '..', '/', '\u0000', '\ud800'])(
		'the unsafe file name %j is changed',
		(name) => {
			expect(safeFileName(name, 'file')).toBe('file');
		},
	);
});

it.each([
	{ name: 'a.b.PDF', extension: 'pdf' },
	{ name: 'README', extension: '' },
	{ name: 'a.', extension: '' },
	{ name: 'a.pdf ', extension: '' },
	{ name: 'a.elevenchars', extension: '' },
	{ name: 'a.tenletters', extension: 'tenletters' },
])('the extension of "$name" is "$extension"', ({ name, extension }) => {
	expect(extensionOf(name)).toBe(extension);
});

describe('values of files', () => {
	it.each([
		{ value: 'see b.pdf', visible: "'see b.pdf'" },
		{ value: '["a@b.pdf"]', visible: `'["a@b.pdf"]'` },
		{ value: { a: 1 }, visible: `'{"a":1}'` },
		{ value: 7, visible: "'7'" },
		{ value: Symbol('x'), visible: "'Symbol(x)'" },
		{ value: 'x'.repeat(100), visible: `'${'x'.repeat(80)}…'` },
	])('a value that is not a file value is quoted with advice: $visible', ({ value, visible }) => {
		expect(() => fileValuesOf(value)).toThrow(
			expect.objectContaining({
				message: `${visible} is not the value of a file field`,
				description:
					'A file value has the form prefix@name. An expression may return an array of file values.',
			}),
		);
	});

	it.each(['_clipboard1700000000000.png', 'photo.heic2', 'scan.jfif', 'plan.x_t.zip'])(
		'a file name without a prefix is a file value: %s',
		(value) => {
			expect(fileValuesOf(value)).toEqual([value]);
		},
	);

	it('a missing file value comes with advice', () => {
		expect(() => fileValuesOf('')).toThrow(
			expect.objectContaining({
				message: 'The file value is empty',
				description: 'The field of the record may contain no file.',
			}),
		);
	});

	it('file values are the same alone and in an array, without empty values', () => {
		expect(fileValuesOf('kq2Ab@b.pdf')).toEqual(['kq2Ab@b.pdf']);
		expect(fileValuesOf(['', null, 'a@b.pdf', undefined, 'c@'])).toEqual(['a@b.pdf', 'c@']);
		expect(() => fileValuesOf(['', null, undefined])).toThrow('The file value is empty');
	});

	it.each([
		['a list in a list', [['a@b.pdf']]],
		['a text that is no file name', ['a@b.pdf', 'see b.pdf']],
		['the text of a list', '["a@b.pdf"]'],
	])('file values are rejected if one of them is not a file value: %s', (_, value) => {
		expect(() => fileValuesOf(value)).toThrow('is not the value of a file field');
	});
});

describe('detection of file values', () => {
	it('an e-mail address, or a text that begins with one, is never a file value', () => {
		const domains = fc.constantFrom('com', 'org', 'de', 'ai', 'zip', 'mov', 'photography');
		const rest = fc.constantFrom('', ', see plan.pdf', ' old.docx', '; b@example.org', '\nx.txt');
		fc.assert(
			fc.property(fc.emailAddress(), domains, rest, (address, domain, suffix) => {
				const ended = address.replace(/[^.]+$/, domain);
				expect(isSurelyFile(`${ended}${suffix}`)).toBe(false);
			}),
		);
	});

	it.each([
		{ value: 'kq2Ab@a.pdf', isFile: true },
		{ value: 'kq2Ab@a b.pdf', isFile: true },
		{ value: 'a@b.com,see.pdf', isFile: false },
		{ value: 'a@b.com; c.pdf', isFile: false },
		{ value: 'a@b.com see plan.pdf', isFile: false },
		{ value: 'a@mail.b-c.org\nx.pdf', isFile: false },
		{ value: 'kq2Ab@a_b.com c.pdf', isFile: true },
		{ value: 'kq2Ab@b.com_x c.pdf', isFile: true },
		{ value: 'x kq2Ab@a.pdf', isFile: false },
		{ value: ['kq2Ab@a.pdf'], isFile: false },
	])('$value is a file value, not an e-mail address: $isFile', ({ value, isFile }) => {
		expect(isSurelyFile(value)).toBe(isFile);
	});

	it('a file value has a short prefix and a name with a file extension', () => {
		const files = ['kq2Ab@contract.pdf', 'kq2Ab@Report v1.2 (final).DOCX', 'kq2Ab@報告 🎉.png'];
		expect([...files, 'kq2Ab@max@acme@home.txt'].every(isSurelyFile)).toBe(true);
		const notFiles = ['', '@name.pdf', 'a b@name.pdf', 'a.b@name.pdf', 'a@README', 'a@archive.zip'];
		expect([...notFiles, 7, null].some(isSurelyFile)).toBe(false);
	});
});
