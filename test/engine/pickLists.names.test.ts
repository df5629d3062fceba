import { empty, orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { asJson, autoMapped, mapped } from './record/recordValues';
import { recordId, sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

/** Which sources are open, and those that are asked then by a user without admin rights. */
const sources = [
	['schema and definition are open', [], ['schema', 'definition']],
	['both are closed', ['schema', 'definition'], ['schema', 'definition', 'EID', 'FNAME']],
] as const;

const inputs = [
	['JSON', asJson({ Remark: 'by name', City: 'Graz' })],
	['the mapper', mapped({ Remark: 'by name', City: 'Graz' })],
	['the item itself', autoMapped()],
] as const;

describe.each(sources)('an ordinary user, when %s', (_, closed, asked) => {
	beforeEach(() => {
		for (const source of closed) testbed.service.switches[source] = 'code106';
	});

	it.each(inputs)('writes by the names of fields with %s', async (_input, values) => {
		const result = await testbed.run(
			{ operation: 'update', sheet: sheet(orders), recordId: recordId(4), ...values },
			[{ Remark: 'by name', City: 'Graz' }],
		);
		expect(result.status).toBe('success');
		expect(testbed.asked).toEqual(asked);
		const order = testbed.service.data.record(orders, 4);
		expect([order.text(fields.remark), order.text(fields.city)]).toEqual(['by name', 'Graz']);
	});

	it('writes by the names of fields of a row', async () => {
		const result = await testbed.run({
			resource: 'subtableRow',
			operation: 'add',
			sheet: sheet(orders),
			recordId: recordId(4),
			subtableId: lines.id,
			inputMode: 'json',
			rowJson: JSON.stringify({ Article: 'Vase', 'Unit Price': '2.50' }),
		});
		expect(result.status).toBe('success');
		const [row] = [...testbed.service.data.record(orders, 4).rows(lines.id).values()];
		expect(row?.get(lines.fields.article)).toBe('Vase');
		expect(row?.get(lines.fields.unitPrice)).toBe('2.50');
	});

	it('filters and sorts by the names of fields', async () => {
		const result = await testbed.run({
			operation: 'getAll',
			sheet: sheet(orders),
			limit: 3,
			filters: { conditions: [{ field: 'Status', operator: 'eq', value: 'Open' }] },
			sort: { rule: { field: 'Reference', direction: 'DESC' } },
		});
		expect(result.status).toBe('success');
		expect(result.items.map(({ json }) => json.Status)).toEqual(['Open', 'Open', 'Open']);
		const list = testbed.reads.at(-1);
		expect(list?.query).toContainEqual(['where', `${fields.status},eq,Open`]);
		expect(list?.query).toContainEqual(['order', `${fields.reference},DESC`]);
	});
});

describe('when no source tells', () => {
	beforeEach(() => {
		testbed.service.switches.schema = 'html';
		testbed.service.switches.definition = 'http404';
	});
	const create = { operation: 'create', sheet: sheet(empty) };

	it('says in one line that ids can be used, and writes nothing', async () => {
		const result = await testbed.run({ ...create, ...asJson({ Title: 'x' }) });
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain("'Title' cannot be found by its name");
		expect(result.error?.description).toContain('Use field IDs');
		expect(testbed.writes).toEqual([]);
	});

	it('writes by ids, and asks nobody', async () => {
		const result = await testbed.run({ ...create, ...asJson({ [empty.fields.title]: 'x' }) });
		expect(result.status).toBe('success');
		expect(testbed.reads).toEqual([]);
	});
});
