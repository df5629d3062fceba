import type { IDataObject } from 'n8n-workflow';
import { orders } from '../service';
import { onOrders, useRecordTestbed } from './recordTestbed';
import { packageTypes } from './runner';

const testbed = useRecordTestbed({ demoRecords: 300 });
const { fields } = orders;
const getAll = { ...onOrders('getAll'), returnAll: true };

/** What a model reads when the node is a tool of its agent. */
async function answered(
	options: IDataObject = {},
	isTool = true,
	more = {},
): Promise<IDataObject[]> {
	const name = 'n8n-nodes-sheet-records.sheetRecords';
	const own = await packageTypes();
	const types = own.with({ nodes: { [`${name}Tool`]: own.getByNameAndVersion(name) } });
	const node = isTool ? `${name}Tool` : name;
	const result = await testbed.run(
		{ ...getAll, ...more, options: JSON.parse(JSON.stringify(options)) },
		[{}],
		{ types, node },
	);
	expect(result.error).toBeUndefined();
	return result.json;
}

const sizeOf = (items: IDataObject[]) => JSON.stringify(items).length;

describe('the answer to a model', () => {
	it('is bounded, and says how many items were left out', async () => {
		const all = await answered({}, false);
		expect(sizeOf(all)).toBeGreaterThan(100_000);
		const items = await answered();
		const note = items.pop();
		expect(items).toEqual(all.slice(0, items.length));
		expect(items.length).toBeGreaterThan(10);
		expect(sizeOf(items)).toBeLessThan(45_000);
		expect(note?._leftOut).toContain(`the last ${300 - items.length} of 300 items were left out`);
	});

	it('has no long fields, and names them', async () => {
		testbed.order(5).set(fields.remark, 'x'.repeat(5_000));
		const items = await answered({ onlyFields: 'Remark' });
		expect(items).toHaveLength(301);
		expect(items.find(({ _recordId }) => _recordId === 5)).not.toHaveProperty('Remark');
		expect(items.find(({ _recordId }) => _recordId === 6)).toHaveProperty('Remark');
		expect(items.at(-1)).toEqual({
			_leftOut: expect.stringMatching(/Long fields were left out of items: Remark\./),
		});
	});
});
