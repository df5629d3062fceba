import fc from 'fast-check';
import { InputError } from '../../../../nodes/api/values/inputError';
import { runs } from '../../../amount';
import {
	accountPath,
	formatSheetPath,
	isWholeNumber,
	parsePastedAddress,
	parseSheetPath,
	sheetPath,
	wholeNumberText,
} from '../../../../nodes/api/values/sheetAddress';

const anyFolders = fc
	.oneof(
		fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
		fc.string({ unit: fc.constantFrom(...'a%/?#.\\&=+ é:@2E'), minLength: 1, maxLength: 6 }),
		fc.constantFrom('sales', 'é t é', '50%', '%2e%2e', '...', 'a/b', 'what?', '#1', '2024', ' '),
	)
	.filter((name) => !name.split(/[/\\]/).some((part) => part === '.' || part === '..'));
const sheets = fc.record({
	folders: fc.array(anyFolders, { minLength: 1, maxLength: 4 }),
	sheetIndex: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
});
/** Two numbers at the end of an address are sheet and record, so a sheet in a numbered folder must be given by its path. */
const sheetsOutsideNumberedFolders = sheets.filter(
	({ folders: names }) => names.length < 2 || !isWholeNumber(names.at(-1) ?? ''),
);

describe('a sheet path', () => {
	it('a sheet path is parsed as a person writes it, or encoded, with or without outer slashes', () => {
		fc.assert(
			fc.property(sheets, fc.constantFrom('', '/', '//'), (sheet, slashes) => {
				const encoded = [...sheet.folders.map(encodeURIComponent), sheet.sheetIndex].join('/');
				for (const path of [formatSheetPath(sheet), `${slashes}${encoded}${slashes}`]) {
					expect(parseSheetPath(path)).toEqual(sheet);
				}
			}),
			{ numRuns: runs(300, 3000) },
		);
	});

	it.each([
		{
			path: '',
			message: "'' is not a sheet path",
		},
		{ path: '1', message: "'1' is not a sheet path" },
		{ path: 'sales/x', message: "'sales/x' is not a sheet path" },
		{ path: 'sales/9007199254740992', message: "'9007199254740992' is not the number of a sheet" },
		{ path: 'sales/1?a#b', message: "'sales/1' must be without '?', '#' and what follows them" },
		{ path: 'sales/./1', message: "'sales/./1' holds an empty folder name, '.' or '..'" },
		{ path: 'sales//1', message: "'sales//1' holds an empty folder name, '.' or '..'" },
		{ path: 'a\\..\\b/1', message: "holds an empty folder name, '.' or '..'" },
	])('$path is rejected with a message that quotes it', ({ path, message }) => {
		expect(() => parseSheetPath(path)).toThrow(message);
	});

	it.each([
		['no folder', '1'],
		['no number', 'sales/orders'],
		['a number that JavaScript would change', 'sales/99999999999999999'],
		['a folder up', 'sales/../private/4'],
		['a folder up behind an encoded slash', 'sales/%2E%2E%2Forders/3'],
		['a query', 'sales/orders/1?PAGEID=abc'],
	])('a sheet path is rejected with %s', (_, path) => {
		expect(() => parseSheetPath(path)).toThrow(InputError);
	});

	it('a sheet path may have white space around it', () => {
		expect(parseSheetPath(' /sales/a b/3 ')).toEqual({ folders: ['sales', 'a b'], sheetIndex: 3 });
	});

	it('a sheet path never leaves its account', () => {
		const texts = fc.string({ unit: fc.constantFrom(...'./\\%2eE?#5a@:'), maxLength: 14 });
		fc.assert(
			fc.property(texts, (text) => {
				let path: string;
				try {
					path = sheetPath('acme', parseSheetPath(`${text}/3`));
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					return;
				}
				expect(new URL(`https://host${path}?api`).href).toBe(`https://host${path}?api`);
				expect(path.startsWith('/acme/')).toBe(true);
			}),
			{ numRuns: runs(1000, 10_000) },
		);
	});
});

describe('the path of a sheet in an address', () => {
	it('the path of a sheet is encoded, with one segment per folder', () => {
		fc.assert(
			fc.property(sheets, (sheet) => {
				const segments = sheetPath('acme', sheet).split('/').map(decodeURIComponent);
				expect(segments).toEqual(['', 'acme', ...sheet.folders, String(sheet.sheetIndex)]);
			}),
		);
	});

	it('a folder name with an unpaired surrogate is an input error', () => {
		const sheet = parseSheetPath('a\ud83d/1');
		expect(() => sheetPath('acme', sheet)).toThrow(InputError);
	});
});

it('the number of a record or row has digits only, not too many, and one spelling', () => {
	const invalid = ['', '-1', '1.0', '1e3', ' 1', '1\n', '٣', '1234567890123456789'];
	expect(invalid.filter(isWholeNumber)).toEqual([]);
	expect(['000', '7', '007', '123456789012345678'].map(wholeNumberText)).toEqual([
		...['0', '7', '7', '123456789012345678'],
	]);
});

it.each([
	{ folders: ['a b', 'c'], text: 'a b/c/3' },
	{ folders: [' a ', '50%'], text: '%20a%20/50%25/3' },
	{ folders: ['a/b', 'c?#'], text: 'a%2Fb/c%3F%23/3' },
])('the path of the folders $folders is written as $text', ({ folders, text }) => {
	expect(formatSheetPath({ folders, sheetIndex: 3 })).toBe(text);
});

it('the path of an account or sheet is encoded', () => {
	expect(accountPath('my acme')).toBe('/my%20acme');
	expect(sheetPath('acme', { folders: ['a b', 'c/d'], sheetIndex: 3 })).toBe('/acme/a%20b/c%2Fd/3');
});

describe('a pasted address', () => {
	it('a pasted address of a sheet is parsed without its query and fragment', () => {
		const tails = fc.constantFrom('', '/', '?PAGEID=abc', '#top', '/?a=/x/9#/y/8', '?');
		fc.assert(
			fc.property(sheetsOutsideNumberedFolders, tails, (sheet, tail) => {
				const [origin, account] = ['https://host:8443', 'my acme'];
				const address = `${origin}${sheetPath(account, sheet)}${tail}`;
				expect(parsePastedAddress(address)).toEqual({ origin, account, sheet });
			}),
		);
	});

	it('a pasted address of a record is parsed', () => {
		fc.assert(
			fc.property(sheets, fc.nat().map(String), (sheet, recordId) => {
				const [origin, account] = ['https://host', 'acme'];
				const address = `${origin}${sheetPath(account, sheet)}/${recordId}?x#y`;
				expect(parsePastedAddress(address)).toEqual({ origin, account, sheet, recordId });
			}),
		);
	});

	it.each([
		{
			address: ' https://HOST/acme/sales/1 ',
			origin: 'https://host',
			names: ['sales'],
			sheetIndex: 1,
			recordId: undefined,
		},
		{
			address: 'https://host/acme/sales/1/007',
			origin: 'https://host',
			names: ['sales'],
			sheetIndex: 1,
			recordId: '7',
		},
	])(
		'the pasted address $address is parsed',
		({ address, origin, names, sheetIndex, recordId }) => {
			const { sheet, ...rest } = parsePastedAddress(address);
			expect(sheet).toEqual({ folders: names, sheetIndex });
			expect({ recordId: undefined, ...rest }).toEqual({ origin, account: 'acme', recordId });
		},
	);

	it.each([
		['no address', 'sales/orders/1'],
		['no path', 'https://host'],
		['a user name and a password', 'https://user:word@host/acme/sales/1'],
		['an empty segment', 'https://host/acme//sales/1'],
		['a backslash in the host', 'https://host\\@evil/acme/sales/1'],
	])('a pasted address is rejected with %s', (_, address) => {
		expect(() => parsePastedAddress(address)).toThrow(InputError);
	});

	it.each([
		{
			address: 'sales/1',
			message: "'sales/1' is not an address of a sheet, e.g. https://…/sales/1",
		},
		{ address: 'x https://host/acme/sales/1', message: 'is not an address of a sheet' },
		{
			address: 'https://host/',
			message: "'https://host/' does not end with the number of a sheet",
		},
		{ address: 'https://host/acme/sales/x', message: 'does not end with the number of a sheet' },
		{ address: 'https://host/acme/1', message: 'names no folder before the sheet number' },
		{
			address: 'https://u:p@host/acme/sales/1',
			message: 'The address must not hold a user name or password',
		},
	])('$address is rejected with a message', ({ address, message }) => {
		expect(() => parsePastedAddress(address)).toThrow(message);
	});

	it.each([
		{ address: 'http://host/acme/2024/1', folders: ['2024'], sheetIndex: 1, recordId: undefined },
		{ address: 'HTTPS://host/acme/a/b/1/7', folders: ['a', 'b'], sheetIndex: 1, recordId: '7' },
		{ address: 'https://host/acme/a/2/1', folders: ['a'], sheetIndex: 2, recordId: '1' },
	])('$address has the record $recordId', ({ address, recordId, ...sheet }) => {
		expect(parsePastedAddress(address)).toMatchObject({ sheet });
		expect(parsePastedAddress(address).recordId).toBe(recordId);
	});

	it('a rejected address is quoted without its query, which may contain a session', () => {
		expect(() => parsePastedAddress('https://host/acme/sales?sid=abc')).toThrow(
			"'https://host/acme/sales' does not end with the number of a sheet or record",
		);
		const withoutSession = expect.objectContaining({ message: expect.not.stringContaining('abc') });
		for (const place of ['sales', 'https://host/acme/3', 'https://host/a//1']) {
			expect(() => parsePastedAddress(`${place}?sid=abc`)).toThrow(withoutSession);
		}
		expect(() => parseSheetPath('sales/1?sid=abc')).toThrow(withoutSession);
	});
});
