import type { INodeParameters } from 'n8n-workflow';

import { orders, type SeenRequest } from '../../service';
import { byConditions, mass } from '../massOperation/massParameters';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 300 });
const { fields } = orders;

const getOrders = {
	operation: 'getAll',
	sheet: sheet(orders),
	returnAll: true,
	options: { fieldKeys: 'id', pageSize: 100 },
};

const allOrders = () => [...testbed.service.data.sheet(orders).records.values()];
const isOpen = ({ id }: { id: number }) =>
	testbed.service.data.record(orders, id).text(fields.status) === 'Open';

function idsByCreation(): number[] {
	return allOrders()
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
}

/** Something happens when the second page is asked for, before it is read. */
function beforeSecondPage(happens: () => void): void {
	let pages = 0;
	const when = (request: SeenRequest) => {
		pages += request.query.some(([name]) => name === 'offset') ? 1 : 0;
		if (pages !== 2) return false;
		pages += 1;
		happens();
		return false;
	};
	testbed.service.faults.inject({ kind: 'hang', when });
}

const remove = (ids: readonly number[]) => {
	for (const id of ids) testbed.service.data.sheet(orders).records.delete(id);
};

const add = (count: number) => {
	const origin = { at: Date.now(), user: 'max.member@acme.example' };
	for (let added = 0; added < count; added++) testbed.service.data.sheet(orders).add(origin);
};

async function listedIds(parameters: INodeParameters = {}): Promise<number[]> {
	const result = await testbed.run({ ...getOrders, ...parameters });
	expect(result.error).toBeUndefined();
	expect(result.items.every(({ pairedItem }) => Object(pairedItem).item === 0)).toBe(true);
	return result.items.map(({ json }) => Number(json._recordId));
}

const offsets = () =>
	testbed.reads.flatMap(({ query }) =>
		query.filter(([name]) => name === 'offset').map(([, value]) => value),
	);

describe('a list', () => {
	it.each([
		['one record', () => idsByCreation().slice(0, 1)],
		['the last one that was read', () => idsByCreation().slice(99, 100)],
		['the last ones that were read', () => idsByCreation().slice(80, 100)],
		['records on both sides of the border', () => idsByCreation().slice(90, 110)],
		['all that were read', () => idsByCreation().slice(0, 100)],
	])('loses no record when %s is deleted before the second page', async (_, chosen) => {
		const [before, deleted] = [idsByCreation(), chosen()];
		beforeSecondPage(() => remove(deleted));
		const ids = await listedIds();
		const readBefore = before.slice(0, 100);
		expect(ids).toEqual(before.filter((id) => readBefore.includes(id) || !deleted.includes(id)));
	});

	it('goes back half a page when one record was deleted, and costs one request more', async () => {
		beforeSecondPage(() => remove([idsByCreation()[0] ?? 0]));
		await listedIds();
		expect(offsets()).toEqual(['0', '99', '49', '148', '247']);
	});

	it('that is filtered loses none when others do not match any more', async () => {
		for (const order of allOrders()) order.set(fields.status, 'Open');
		const before = idsByCreation();
		beforeSecondPage(() => {
			for (const id of before.slice(0, 10))
				testbed.service.data.record(orders, id).set(fields.status, 'Shipped');
		});
		const conditions = [{ field: fields.status, operator: 'eq', value: 'Open' }];
		expect(await listedIds({ filters: { conditions } })).toEqual(before);
		expect(before.filter((id) => !isOpen({ id }))).toHaveLength(10);
	});

	it('from the newest on loses none when records come and go', async () => {
		const before = idsByCreation().reverse();
		const deleted = before.slice(10, 30);
		beforeSecondPage(() => {
			remove(deleted);
			add(5);
		});
		const ids = await listedIds({ options: { ...getOrders.options, reverse: true } });
		expect(ids.filter((id) => before.includes(id))).toEqual(before);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('by a field loses none that keeps its value when others change theirs', async () => {
		const rule = { field: fields.reference, direction: 'ASC' };
		const before = await listedIds({ sort: { rule } });
		testbed.service.requests.clear();
		const changed = before.slice(0, 30);
		beforeSecondPage(() => {
			for (const id of changed)
				testbed.service.data.record(orders, id).set(fields.reference, 'ZZZ');
		});
		const ids = await listedIds({ sort: { rule } });
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(before);
	});

	it('up to a limit has the first ones', async () => {
		const before = idsByCreation();
		beforeSecondPage(() => remove(before.slice(0, 3)));
		expect(await listedIds({ returnAll: false, limit: 150 })).toEqual(before.slice(0, 150));
	});
});

it('a preview of a mass operation loses no record either', async () => {
	const before = idsByCreation();
	beforeSecondPage(() => remove(before.slice(0, 7)));
	const { items } = await testbed.run(
		mass('lock', {
			...byConditions([fields.reference, 'like', 'REF']),
			options: { preview: true },
		}),
	);
	expect(items.map(({ json }) => json._recordId)).toEqual(before);
});

describe('an answer that is no list', () => {
	it.each(['{"error":{"message":"No"}}', '{"data":{}}', '{"7":{},"x":{}}', '[]'])(
		'is an error, not an item: %s',
		async (body) => {
			testbed.service.faults.inject({ kind: 'body', body });
			const result = await testbed.run(getOrders, [{}], { onError: 'continueErrorOutput' });
			expect(result.items).toEqual([]);
			expect(result.errorItems).toMatchObject([
				{
					json: { error: expect.stringContaining('something else than records') },
					pairedItem: { item: 0 },
				},
			]);
		},
	);
});
