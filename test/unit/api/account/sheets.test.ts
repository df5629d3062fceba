import { isMenu, sheetsOfList, sheetsOfMenu } from '../../../../nodes/api/account/sheets';
import type { MenuSheet } from '../../../../nodes/api/account/sheets';
import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { formatSheetPath } from '../../../../nodes/api/values/sheetAddress';

const sheetsOf = (text: string) => sheetsOfMenu(parseOrderedJson(text), 'acme');
const visible = ({ name, folderNames, address }: MenuSheet) => [
	[...folderNames, name].join(' > '),
	formatSheetPath(address),
];

it.each([
	...['{}', '[]', 'null', '-1', '"acme"', '{"status":"ok"}', '{"acme":"here"}'],
	...['{"error":{"message":"no"}}', '{"5":{"_svcId":5}}', '{"x":{"children":[]}}'],
])('a value is not a menu: %s', (text) => {
	expect(isMenu(parseOrderedJson(text), 'acme')).toBe(false);
});

it.each([
	['a path below the parent', 'old', 'sales/old/3'],
	['a whole path', '/sales/old', 'sales/old/3'],
	["a path below the parent with the parent's name", '/sales', 'sales/sales/3'],
	[
		"a path below the parent that begins with the parent's name",
		'/sales2/old',
		'sales/sales2/old/3',
	],
])('the menu names folders by %s', (_, key, path) => {
	const sales = { children: { [key]: { children: { 3: { name: 'x' } } } } };
	const menu = JSON.stringify({ acme: { children: { '/sales': sales } } });
	expect(sheetsOf(menu).map(visible)).toEqual([[`/sales > ${key} > x`, path]]);
});

it.each([
	{ type: 'sheet', isOffered: true },
	{ type: undefined, isOffered: true },
	...['report', 'dashboard', 'calendar', ''].map((type) => ({ type, isOffered: false })),
])('a numbered node of the menu of type $type is offered as a sheet: $isOffered', (row) => {
	const children = { 1: { name: 'Orders' }, 2: { name: 'x', type: row.type } };
	const menu = JSON.stringify({ acme: { children: { '/sales': { children } } } });
	const paths = sheetsOf(menu).map(({ address }) => formatSheetPath(address));
	expect(paths).toEqual(row.isOffered ? ['sales/1', 'sales/2'] : ['sales/1']);
});

function listed(list: string) {
	const sheets = sheetsOfList(parseOrderedJson(list), 'acme');
	return sheets?.map(({ name, address }) => [name, formatSheetPath(address)]);
}

const orders = { displayName: 'Sales / Orders', path: 'acme/sales/orders/1' };

it.each([
	['an object by keys that mean nothing', { 7: orders }],
	['an array', [orders]],
	['a path with slashes around', [{ ...orders, path: '/acme/sales/orders/1/' }]],
])('the list of sheets may be %s', (_, list) => {
	expect(listed(JSON.stringify(list))).toEqual([['Sales / Orders', 'sales/orders/1']]);
});

it.each([
	{ account: 'acme-test', isListed: false },
	{ account: 'acm', isListed: false },
	{ account: 'my-acme', isListed: false },
	{ account: 'ACME', isListed: true },
])('a sheet of the account $account is in the list for the account acme: $isListed', (row) => {
	const list = [{ displayName: 'Orders', path: `${row.account}/sales/1` }];
	const expected = row.isListed ? [['Orders', 'sales/1']] : undefined;
	expect(listed(JSON.stringify(list))).toEqual(expected);
});

it('entries that are not sheets of the account are left out', () => {
	const rest = [
		...[{ path: 'other/sales/1' }, { path: 'acme/1' }, { path: 'acme/../sales/1' }],
		...[{ path: 'acme/sales/one' }, { path: 5 }, { displayName: 'Sales' }, 'acme/sales/1', null],
	];
	expect(listed(JSON.stringify([...rest, orders]))).toEqual([['Sales / Orders', 'sales/orders/1']]);
	expect(listed(JSON.stringify(rest))).toBeUndefined();
});
