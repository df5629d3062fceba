import { readOrder, WrongCall } from '../../probe/commandLine';

const environment = { SHEET_RECORDS_API_KEY: 'key' };
const words = '--base-url https://sheets.example/ --account acme --sheet /sales/orders/1'.split(
	' ',
);

describe('the command', () => {
	it('reads what to do, and secrets from the environment alone', () => {
		const login = { SHEET_RECORDS_EMAIL: 'a@b.example', SHEET_RECORDS_PASSWORD: 'p' };
		const more = [
			'--write',
			'--json',
			'--delivery',
			'saved.json',
			'--field',
			'mark=12',
			'--field',
			'row=345',
		];
		expect(readOrder([...words, ...more], { ...environment, ...login })).toEqual({
			baseUrl: 'https://sheets.example',
			account: 'acme',
			sheet: 'sales/orders/1',
			fields: new Map([
				['mark', '12'],
				['row', '345'],
			]),
			mayWrite: true,
			delivery: 'saved.json',
			asJson: true,
			apiKey: 'key',
			login: { email: 'a@b.example', password: 'p' },
		});
	});

	it.each([
		['HTTP', ['--base-url', 'http://sheets.example', ...words.slice(2)]],
		['a password in the address', ['--base-url', 'https://a:b@sheets.example', ...words.slice(2)]],
		['a sheet without a number', [...words.slice(0, 4), '--sheet', 'sales/orders']],
		['a key', [...words, '--api-key', 'key']],
		['a field without an id', [...words, '--field', 'mark=Name']],
	])('refuses %s', (_, wrong) => {
		expect(() => readOrder(wrong, environment)).toThrow(WrongCall);
	});

	it('refuses to go without a key', () => {
		expect(() => readOrder(words, {})).toThrow('SHEET_RECORDS_API_KEY');
	});
});
