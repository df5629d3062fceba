import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { formatSheetPath } from '../../../../nodes/api/values/sheetAddress';
import { sheetsOfList } from '../../../../nodes/api/schema/sheetList';

function shown(list: string) {
	const sheets = sheetsOfList(parseOrderedJson(list), 'acme');
	return sheets?.map(({ name, address }) => [name, formatSheetPath(address)]);
}

const orders = { displayName: 'Sales / Orders', path: 'acme/sales/orders/1' };

it.each([
	['an object by keys that mean nothing', { 7: orders }],
	['an array', [orders]],
	['a path with slashes around', [{ ...orders, path: '/acme/sales/orders/1/' }]],
	['an account in another spelling', [{ ...orders, path: 'ACME/sales/orders/1' }]],
])('the list of sheets may be %s', (_, list) => {
	expect(shown(JSON.stringify(list))).toEqual([['Sales / Orders', 'sales/orders/1']]);
});

it('keeps the order of the text, and takes the path where there is no name', () => {
	const list =
		'{"9":{"path":"acme/b/2"},"1":{"displayName":"Küche","path":"acme/k%C3%BCche/é t/1"}}';
	expect(shown(list)).toEqual([
		['acme/b/2', 'b/2'],
		['Küche', 'küche/é t/1'],
	]);
});

it('leaves out what is no sheet of the account', () => {
	const others = [
		...[{ path: 'other/sales/1' }, { path: 'acme/1' }, { path: 'acme/../sales/1' }],
		...[{ path: 'acme/sales/one' }, { path: 5 }, { displayName: 'Sales' }, 'acme/sales/1', null],
	];
	expect(shown(JSON.stringify([...others, orders]))).toEqual([
		['Sales / Orders', 'sales/orders/1'],
	]);
	expect(shown(JSON.stringify(others))).toBeUndefined();
});

it.each(['{}', '[]', 'null', '"acme/sales/1"', '{"status":"SUCCESS"}'])('is none: %s', (text) => {
	expect(shown(text)).toBeUndefined();
});
