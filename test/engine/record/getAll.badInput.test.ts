import type { GenericValue } from 'n8n-workflow';
import { empty, orders, type SheetAddress } from '../../service';
import { onOrders, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const list = { ...onOrders('getAll'), limit: 1 };

/** Lists records with a valid condition for the first item, and with conditions on these fields for the other items. */
async function filterBy(fields: GenericValue[], of: SheetAddress = orders) {
	const conditions = [{ field: '={{ $json.field }}', operator: 'empty' }];
	const items = ['112', ...fields].map((field) => ({ field }));
	const parameters = { ...list, sheet: sheet(of), filters: { conditions } };
	const { errorItems } = await testbed.runAll(parameters, items);
	const links = errorItems.map(({ pairedItem }) => pairedItem);
	expect(links).toEqual(fields.map((_, place) => ({ item: place + 1 })));
	// The invalid items send no request for a list.
	const lists = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='));
	expect(lists.map(({ rawUrl }) => rawUrl.split('&').at(-1))).toEqual(['where=112,eq,']);
	return errorItems.map(({ json }) => String(json.error));
}

describe('a field in a filter', () => {
	it('a filter without a field is rejected', async () => {
		for (const text of await filterBy(['', null, undefined]))
			expect(text).toMatch(/'Field Name or ID in Filters' is empty/);
	});

	it('a filter by name is rejected if the service lists no names', async () => {
		Object.assign(testbed.service.switches, { schema: 'http404', definition: 'code106' });
		expect((await filterBy(['Title'], empty)).join()).toMatch(/'Title'.*field IDs/is);
	});
});

it.each<[string, object, string]>([
	['no field', { field: '={{ $json.missing }}' }, "'Field Name or ID in Sort' is empty"],
	['no direction', { field: '109', direction: '={{ "desc" }}' }, "'Direction' is 'desc'"],
])('a condition with %s is rejected before anything is sent', async (_, rule, message) => {
	await testbed.expectRefused({ ...list, options: { sort: { rule: { ...rule } } } }, [{}], message);
	expect(testbed.service.requests.count).toBe(0);
});

it.each(['3', '2025/01/01', '2025-01-01&limit=1', '={{ 20250101 }}', '={{ new Date() }}'])(
	'an API version of %s is rejected before anything is sent',
	async (version) => {
		const message = "'API Version' is not a date such as 2025-01-01";
		await testbed.expectRefused({ ...list, options: { version } }, [{}], message);
		expect(testbed.service.requests.count).toBe(0);
	},
);

it('a sheet that does not exist, or that the user may not see, is reported with the code of the service', async () => {
	const parameters = { operation: 'getAll', sheet: sheetAt('={{ $json.sheet }}') };
	const sheets = ['sales/order/1', 'sales/orders/8', 'private/salaries/4'];
	const expectedErrors = [/\bcode 102\b/i, /\bcode 103\b/i, /access.*\bcode 106\b/i];
	await testbed.expectRefused(
		parameters,
		sheets.map((badSheet) => ({ sheet: badSheet })),
		expectedErrors,
	);
});

it.each([
	['fullText', 'Full-Text Search'],
	['sharedViewId', 'Shared View ID'],
])(
	'%s with an empty result of an expression does not list all records',
	async (name, displayName) => {
		const options = { [name]: '={{ $json.missing }}' };
		const { error, items } = await testbed.run({ ...list, options });
		expect(error?.message).toBe(`'${displayName}' has no value`);
		expect(items).toEqual([]);
		expect(testbed.reads).toEqual([]);
	},
);

it("an invalid function name in 'JSONP Callback' is rejected before anything is sent", async () => {
	const options = { callback: 'alert(1);x' };
	await testbed.expectRefused({ ...list, options }, [{}], /JSONP Callback.*name of a function/);
	expect(testbed.service.requests.count).toBe(0);
});

it.each([
	['typedValues', true, 'Typed Values'],
	['numberFields', 'Amount', 'Number Fields'],
	['listFields', 'Tags', 'List Fields'],
	['isoDates', true, 'ISO Dates'],
	['downloadFiles', 'Contract', 'Download Files'],
])(
	"'JSONP Callback' beside %s is rejected, because the pages are texts",
	async (name, value, label) => {
		const options = { callback: 'show', [name]: value };
		const words = `'${label}' cannot be applied together with the option 'JSONP Callback'`;
		await testbed.expectRefused({ ...list, options }, [{}], words);
		expect(testbed.readUrls.filter((url) => url.includes('callback='))).toEqual([]);
		// An option that is turned off changes nothing.
		const off = { callback: 'show', [name]: typeof value === 'string' ? '' : false };
		expect((await testbed.run({ ...list, options: off })).items).toHaveLength(1);
	},
);

it('a sort by the ID of a field that the sheet does not have is rejected before the list is requested', async () => {
	const sort = { rule: { field: '9999', direction: 'ASC' } };
	const words = "'9999' in 'Sort' is not a field of the sheet";
	await testbed.expectRefused({ ...list, options: { sort } }, [{}], words);
	expect(testbed.readUrls.filter((url) => url.includes('order='))).toEqual([]);
});

it.each([
	['create date', 'Create Date'],
	['_create_date', 'Create Date'],
	['_update_date', 'Last Update Date'],
	['_starred', 'If Starred'],
])("a filter and a sort by '%s' name the system field '%s'", async (field, system) => {
	const filters = { conditions: [{ field, operator: 'eq', value: 'x' }] };
	const sort = { rule: { field, direction: 'ASC' } };
	for (const parameters of [
		{ ...list, filters },
		{ ...list, options: { sort } },
	]) {
		const words = new RegExp(`'${field}' in '.*Did you mean .*'${system}'.*Use the exact name`);
		await testbed.expectRefused(parameters, [{}], words);
	}
});
