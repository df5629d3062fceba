import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { onLines, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed();
const getAll = onLines('getAll', { returnAll: true });

it('yields an item for each row, in the order of the service, linked to its record', async () => {
	const ids = { seven: rowIdsOf(testbed.service, 7), one: rowIdsOf(testbed.service, 1) };
	expect(ids.seven).not.toEqual([...ids.seven].sort((left, right) => left - right));
	const result = await testbed.run(getAll, [{ order: 7 }, { order: 1 }]);
	expect(
		result.items.map(({ json, pairedItem }) => [json._recordId, json._rowId, pairedItem]),
	).toEqual([
		...ids.seven.map((id) => [7, id, { item: 0 }]),
		...ids.one.map((id) => [1, id, { item: 1 }]),
	]);
	expect(Object.keys(result.items[0]?.json ?? {})).toEqual([
		'_recordId',
		'_rowId',
		'Article',
		'Quantity',
		'Unit Price',
		'Amount',
	]);
});

it('keys the fields by name or by id, as asked, and always says so', async () => {
	testbed.service.switches.defaultNaming = 'EID';
	const byName = await testbed.run(getAll, [{ order: 1 }]);
	testbed.service.switches.defaultNaming = 'FNAME';
	const byId = await testbed.run({ ...getAll, options: { fieldKeys: 'id' } }, [{ order: 1 }]);
	const { article } = orders.subtables.lines.fields;
	expect(byName.items[0]?.json.Article).toBe(byId.items[0]?.json[article]);
	expect(byId.items[0]?.json[article]).toEqual(expect.any(String));
	expect(testbed.service.requests.all().map(({ rawUrl }) => rawUrl)).toEqual([
		'/acme/sales/orders/1/1?api&naming=FNAME&version=2025-01-01',
		'/acme/sales/orders/1/1?api&naming=EID&version=2025-01-01',
	]);
});

it('yields up to the limit', async () => {
	const result = await testbed.run({ ...getAll, returnAll: false, limit: 2 }, [{ order: 7 }]);
	expect(result.items.map(({ json }) => json._rowId)).toEqual(
		rowIdsOf(testbed.service, 7).slice(0, 2),
	);
});

it('yields nothing for a record without rows', async () => {
	const result = await testbed.run(getAll, [{ order: 8 }, { order: 1 }]);
	expect(rowIdsOf(testbed.service, 4)).toEqual([]);
	const none = await testbed.run(getAll, [{ order: 4 }]);
	expect(none.status).toBe('success');
	expect(none.items).toEqual([]);
	expect(result.items.at(-1)?.pairedItem).toEqual({ item: 1 });
});

it.each(['empty', 'code404', 'http404'] as const)(
	'says that the record is not there when the service answers %s',
	async (missingRecord) => {
		testbed.service.switches.missingRecord = missingRecord;
		const result = await testbed.run(getAll, [{ order: 1 }, { order: 99999 }]);
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe('There is no record 99999 on this sheet');
		expect(result.error?.context).toMatchObject({ itemIndex: 1 });
	},
);

it.each([0, -1, 1.5, 'many'])('refuses the limit %s', async (limit) => {
	const result = await testbed.run({ ...getAll, returnAll: false, limit }, [{ order: 1 }]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain("'Limit'");
});
