import { recipes, tasks } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { sheet } from './recordTestbed';

const testbed = usePickListTestbed();

const searchSheets = { kind: 'listSearch', name: 'searchSheets' } as const;
/** Path of the vendor's list of sheets. */
const list = '/api/http/integromatForms.jsp?n8n';
const searchRecords = { kind: 'listSearch', name: 'searchRecords' } as const;

interface Found {
	results: Array<{ name: string; value: string; url?: string }>;
	paginationToken?: string;
}

async function find(question: Parameters<typeof testbed.ask>[0]): Promise<Found> {
	return Object(await testbed.ask(question));
}

/**
 * Returns the addresses of all sheets, or of the sheets that a group may see, in the order of the menu. The lists are sorted by
 * name.
 */
function addresses(group?: string): string[] {
	return testbed.service.data.sheets
		.filter(({ rights }) => group === undefined || group in rights)
		.map(({ path, index }) => `${path}/${index}`);
}

describe('the list of sheets', () => {
	it('an administrator gets all sheets, from A to Z with their folders', async () => {
		const { results } = await find({ ...searchSheets, identity: 'admin' });
		const names = results.map(({ name }) => name);
		expect(names).toEqual([...names].sort((left, right) => left.localeCompare(right, 'en')));
		expect(results.map(({ value }) => value).sort()).toEqual(addresses().sort());
		const url = `${testbed.service.baseUrl}/acme/sales/orders/1`;
		expect(results).toContainEqual({ name: 'Sales / Orders', value: 'sales/orders/1', url });
		expect(testbed.readUrls).toEqual(['/acme?api']);
	});

	it('the sheets of one user are not shown to another user', async () => {
		await find({ ...searchSheets, identity: 'admin' });
		const refusal = await testbed.refusalOf({ ...searchSheets, identity: 'outsider' });
		expect(refusal).toMatch(/does not list/);
		expect(testbed.reads.map(({ identity }) => identity)).toEqual([
			'admin',
			'outsider',
			'outsider',
		]);
	});

	it.each([
		['ORDERS', ['sales/orders/1']],
		['archive', ['archive/2024/tasks/7']],
		['no such sheet', []],
		['sales/ORDERS/1', ['sales/orders/1']],
	])('the list of sheets is searched by names, folders and paths: %s', async (filter, values) => {
		const { results } = await find({ ...searchSheets, filter });
		expect(results.map(({ value }) => value)).toEqual(values);
	});

	it('the list of sheets returns values that the node can use', async () => {
		for (const { value } of (await find(searchSheets)).results) {
			const parameters = { operation: 'getAll', sheet: { __rl: true, mode: 'list', value } };
			const { error } = await testbed.run({ ...parameters, limit: 1 });
			expect(error).toBeUndefined();
		}
		expect(testbed.reads.map(({ path }) => path)).toContain(`/acme/${encodeURI(recipes.path)}/5`);
	});

	it.each(['code106', 'html'] as const)(
		'the list of sheets gives advice when the menu answers %s',
		async (answer) => {
			Object.assign(testbed.service.switches, { menu: answer, picker: answer });
			const refusal = await testbed.refusalOf(searchSheets);
			expect(refusal).toMatch(/does not list.*menu.*list for integrations.*By URL.*By Path/s);
		},
	);

	it.each(['code106', 'http404', 'html'] as const)(
		"the list of sheets comes from the vendor's list when the menu answers %s",
		async (answer) => {
			const { results } = await find(searchSheets);
			testbed.service.requests.clear();
			testbed.service.switches.menu = answer;
			expect((await find(searchSheets)).results).toEqual(results);
			// Code 106 is repeated, because the service sometimes mistakes a valid key for a guest's.
			const menu = answer === 'code106' ? ['/acme?api', '/acme?api'] : ['/acme?api'];
			expect(testbed.readUrls).toEqual([...menu, list]);
		},
	);

	it("the list of sheets of a member whose menu is rejected comes from the vendor's list, and has only own sheets", async () => {
		testbed.service.switches.menu = 'code106';
		const { results } = await find({ ...searchSheets, identity: 'member' });
		expect(results.map(({ value }) => value).sort()).toEqual(addresses('Sales').sort());
		expect(results).toContainEqual(expect.objectContaining({ name: 'Sales / Orders' }));
		expect(testbed.reads.map(({ identity }) => identity)).toEqual(['member', 'member', 'member']);
	});

	it("the list of sheets comes from the vendor's list if the menu is empty", async () => {
		testbed.inject({ kind: 'body', body: '{"acme":{"children":{}}}' });
		const { results } = await find(searchSheets);
		expect(results.map(({ value }) => value)).toContain('sales/orders/1');
		expect(testbed.readUrls).toEqual(['/acme?api', list]);
	});

	it('the list of sheets may come from an array, and can be searched', async () => {
		Object.assign(testbed.service.switches, { menu: 'code106', pickerList: 'array' });
		const { results } = await find({ ...searchSheets, filter: 'sommer' });
		const url = `${testbed.service.baseUrl}/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5`;
		const name = 'Küche / Rezepte für den Sommer';
		expect(results).toEqual([{ name, value: 'küche/é t é/5', url }]);
	});

	it("the vendor's list is not requested while the menu is unavailable", async () => {
		testbed.inject({ kind: 'status', status: 500, times: 9 });
		expect(await testbed.refusalOf(searchSheets)).not.toMatch(/does not list/);
		expect(testbed.readUrls).not.toContain(list);
	});
});

describe('the list of records', () => {
	const newestFirst = () =>
		[...testbed.orders.records.values()]
			.sort((left, right) => right.created.at - left.created.at)
			.map(({ id }) => String(id));

	it('the list of records is sorted from newest to oldest, with their titles', async () => {
		const newest = newestFirst().slice(0, 50);
		const { results, paginationToken } = await find(searchRecords);
		expect(results.map(({ value }) => value)).toEqual(newest);
		const url = `${testbed.service.baseUrl}/acme/sales/orders/1/2500`;
		expect(results[0]).toEqual({ name: 'SO-02500 (2500)', value: '2500', url });
		expect(paginationToken).toMatch(/^2500,2499,.*,2451$/);
		expect(Object.fromEntries(testbed.reads[0]?.query ?? [])).toMatchObject({
			...{ naming: 'FNAME', version: '2025-01-01', subtables: '0', order: '105,DESC' },
			...{ limit: '50', offset: '0' },
		});
	});

	it('the list of records ends with the last record', async () => {
		const parameters = { sheet: sheet(tasks) };
		const { results, paginationToken } = await find({ ...searchRecords, parameters });
		expect(results).toHaveLength(40);
		expect(paginationToken).toBeUndefined();
		expect(testbed.reads).toHaveLength(1);
	});

	it('the list of records skips and repeats nothing when records are added or deleted before the next page', async () => {
		const { records } = testbed.orders;
		const ids = newestFirst();
		const visible = ({ results }: Found) => results.map(({ value }) => value);
		const first = await find(searchRecords);
		for (const index of [0, 1, 20, 49]) records.delete(Number(ids[index]));
		const second = await find({ ...searchRecords, paginationToken: first.paginationToken });
		expect(visible(second)).toEqual(ids.slice(50, 100));

		const origin = { at: Date.now(), user: 'max.member@acme.example' };
		const added = [1, 2, 3].map(() => testbed.orders.add(origin));
		const third = await find({ ...searchRecords, paginationToken: second.paginationToken });
		const newIds = added.map(({ id }) => String(id)).reverse();
		expect(visible(third)).toEqual([...newIds, ...ids.slice(100, 147)]);
	});

	it('the list of records shows the last ones, too, if listed ones are deleted before the next page', async () => {
		const { records } = testbed.orders;
		const ids = newestFirst();
		for (const id of ids.slice(104)) records.delete(Number(id));
		const first = await find(searchRecords);
		for (const id of ids.slice(0, 6)) records.delete(Number(id));
		const second = await find({ ...searchRecords, paginationToken: first.paginationToken });
		const third = await find({ ...searchRecords, paginationToken: second.paginationToken });
		const shown = [...second.results, ...third.results].map(({ value }) => value);
		expect(shown).toEqual(ids.slice(50, 104));
		expect(third.paginationToken).toBeUndefined();
	});

	it('the list of records explains why it cannot be shown', async () => {
		const denied = { ...searchRecords, identity: 'outsider' } as const;
		expect(await testbed.refusalOf(denied)).toMatch(/No access right/);
		const elsewhere = { sheet: sheet({ path: 'sales/orders', index: 8 }) };
		const refusal = await testbed.refusalOf({ ...searchRecords, parameters: elsewhere });
		expect(refusal).toMatch(
			/^There is no sheet \d+ in the folder 'sales\/orders' \(Invalid form index/,
		);
	});
});
