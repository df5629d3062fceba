import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { idsByCreation } from './listedOrders';

const testbed = useRecordTestbed({ demoRecords: 1_600 });

/** Options for small items, because only the IDs matter. */
const small = { subtables: false, onlyFields: orders.fields.orderNumber };
const getOrders = { ...onOrders('getAll'), options: small };

/** Returns the limit and the offset of each request for a page. */
function pagesAskedFor(): string[] {
	return testbed.reads.flatMap(({ query }) => {
		const { limit, offset } = Object.fromEntries(query);
		return limit === undefined ? [] : [`${limit}@${offset}`];
	});
}

async function listedIds(parameters: INodeParameters): Promise<unknown[]> {
	const result = await testbed.run({ ...getOrders, ...parameters });
	expect(result.error).toBeUndefined();
	return result.ids;
}

const allIds = () => idsByCreation(testbed);

afterEach(() => jest.restoreAllMocks());

it('a limit of 1500 returns exactly 1500 records', async () => {
	expect(await listedIds({ limit: 1500 })).toEqual(allIds().slice(0, 1500));
	expect(pagesAskedFor()).toEqual(['1000@0', '501@999']);
});

describe('Return All', () => {
	it('Return All reads more than a thousand records, each once, in the order of the service', async () => {
		expect(await listedIds({ returnAll: true })).toEqual(allIds());
		expect(allIds()).toHaveLength(1600);
		expect(testbed.reads.every(({ inFlightAtStart }) => inFlightAtStart === 0)).toBe(true);
	});

	it('Return All sends filters, order and read options with every page', async () => {
		await listedIds({
			returnAll: true,
			filters: { conditions: [{ field: '1000004', operator: 'eq', value: 'Lyon' }] },
			options: { pageSize: 60, info: true, fullText: 'SO-', reverse: true },
		});
		expect(testbed.reads.length).toBeGreaterThan(2);
		const forms = testbed.reads.map(({ rawUrl }) => rawUrl.replace(/offset=\d+/, 'offset=N'));
		const [form, ...rest] = new Set(forms);
		expect(rest).toEqual([]);
		expect(form).toContain('where=1000004,eq,Lyon');
		expect(form).toContain('fts=SO-&order=105%2CDESC&naming=FNAME&version=2025-01-01&info=true');
	});
});

it('a given Page Size is used, but never more than the limit needs', async () => {
	await listedIds({ limit: 1000, options: { ...small, pageSize: 400 } });
	expect(pagesAskedFor()).toEqual(['400@0', '400@399', '202@798']);
});

it.each([
	['Limit', [0, -1, 1.5, 'many'], { limit: '={{ $json.value }}' }],
	['Page Size', [-1, 2.5, 'big'], { options: { pageSize: '={{ $json.value }}' } }],
])("'%s' of %j is rejected before anything is sent", async (name, values, parameters) => {
	const items = values.map((value) => ({ value }));
	const result = await testbed.runAll({ ...getOrders, ...parameters }, items);
	testbed.expectErrors(result, `'${name}'`, values.length);
	expect(testbed.service.requests.count).toBe(0);
});

it('a list is an error of its item if a later page fails, and the other items continue', async () => {
	testbed.refuse(({ rawUrl }) => /&offset=999\b/.test(rawUrl));
	const list = { ...getOrders, returnAll: '={{ $json.all }}', limit: 1 };
	const result = await testbed.runAll(list, [{ all: true }, { all: false }]);
	expect(result.records).toEqual([`${allIds()[0]} #1`]);
	testbed.expectErrors(result, 'No.');
});
