import { orders, type SeenRequest } from '../../service';
import { byConditions, mass } from '../massOperation/massParameters';
import { errorsOf, sheet, useRecordTestbed } from '../recordTestbed';
import { idsByCreation } from './listedOrders';

const testbed = useRecordTestbed();
const { fields } = orders;

const getOrders = {
	operation: 'getAll',
	sheet: sheet(orders),
	returnAll: true,
	options: { fieldKeys: 'id', pageSize: 100 },
};

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

async function listedIds(): Promise<number[]> {
	const result = await testbed.run(getOrders);
	expect(result.error).toBeUndefined();
	expect(result.items.every(({ pairedItem }) => Object(pairedItem).item === 0)).toBe(true);
	return result.items.map(({ json }) => Number(json._recordId));
}

const offsets = () =>
	testbed.reads.flatMap(({ query }) =>
		query.filter(([name]) => name === 'offset').map(([, value]) => value),
	);

describe.each(['newestFirst', 'oldestFirst'] as const)('a list, %s', (defaultOrder) => {
	beforeEach(() => (testbed.service.switches.defaultOrder = defaultOrder));

	it('has each record once when others are created before the second page', async () => {
		const before = idsByCreation(testbed);
		beforeSecondPage(() => {
			for (let count = 0; count < 7; count++) testbed.service.people.create(orders, {});
		});
		const ids = await listedIds();
		expect(new Set(ids).size).toBe(ids.length);
		expect(before.filter((id) => !ids.includes(id))).toEqual([]);
	});

	it.each<[string, number, number, string[]]>([
		// It goes back half a page, and costs one request more.
		['one record', 0, 1, ['0', '99', '49', '148', '247']],
		['records on both sides of the border', 90, 110, ['0', '99', '49', '148', '247']],
		['all that were read', 0, 100, ['0', '99', '49', '0', '99', '198']],
	])('loses no record when %s go before the second page', async (_, from, to, asked) => {
		const before = idsByCreation(testbed);
		const deleted = before.slice(from, to);
		beforeSecondPage(() => remove(deleted));
		const readBefore = before.slice(0, 100);
		expect(await listedIds()).toEqual(
			before.filter((id) => readBefore.includes(id) || !deleted.includes(id)),
		);
		expect(offsets()).toEqual(asked);
	});
});

it('a preview of a mass operation loses no record either', async () => {
	const before = idsByCreation(testbed);
	beforeSecondPage(() => remove(before.slice(0, 7)));
	const wanted = byConditions([fields.reference, 'like', 'REF']);
	const { items } = await testbed.run(mass('lock', { ...wanted, options: { preview: true } }));
	expect(items.map(({ json }) => json._recordId)).toEqual(before);
});

it('an answer that is no list is an error, not an item', async () => {
	const bodies = ['{"error":{"message":"No"}}', '{"data":{}}', '{"_seq":1,"x":{}}', '[]'];
	for (const body of bodies) testbed.service.faults.inject({ kind: 'body', body });
	const items = bodies.map((body) => ({ body }));
	const result = await testbed.run(getOrders, items, { onError: 'continueErrorOutput' });
	expect(result.items).toEqual([]);
	expect(errorsOf(result.errorItems)).toEqual(
		bodies.map((_, item) => [expect.stringContaining('something else than records'), { item }]),
	);
});
