import { readOrder, WrongCall } from '../../probe/commandLine';

const environment = { SHEET_RECORDS_API_KEY: 'key' };
const words = '--base-url https://sheets.example/ --account acme --sheet /sales/orders/1'.split(
	' ',
);

describe('the command of the probe', () => {
	it.each([
		['HTTP', ['--base-url', 'http://sheets.example', ...words.slice(2)]],
		['a password in the address', ['--base-url', 'https://a:b@sheets.example', ...words.slice(2)]],
		['a key', [...words, '--api-key', 'key']],
	])('refuses %s', (_, wrong) => {
		expect(() => readOrder(wrong, environment)).toThrow(WrongCall);
	});

	it('refuses to run without a key', () => {
		expect(() => readOrder(words, {})).toThrow('SHEET_RECORDS_API_KEY');
	});
});
