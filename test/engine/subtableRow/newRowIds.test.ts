import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowOfItem } from './rowTestbed';

const testbed = useRecordTestbed();
const { article, quantity } = orders.subtables.lines.fields;

/** Order 7 has its rows out of the order of their ids. */
const orderId = 7;

async function addRows(...rows: object[]) {
	const items = rows.map((row) => ({ json: { order: orderId, row: { ...row } } }));
	const result = await testbed.run(onLines('add', rowOfItem), items);
	expect(result.status).toBe('success');
	return result.items.map(({ json }) => json);
}

it('are found among rows that are not in the order of their ids', async () => {
	const items = await addRows({ [article]: 'x', [quantity]: 1 }, { [article]: 'y' });
	const [first, second] = linesOf(testbed.service, orderId).slice(-2);
	expect(items.map(({ _rowId }) => _rowId)).toEqual([first?.[0], second?.[0]]);
});

it('are found for equal rows of one request', async () => {
	const items = await addRows({ [article]: 'same' }, { [article]: 'same' });
	const added = linesOf(testbed.service, orderId).slice(-2);
	expect(items.map(({ _rowId }) => _rowId)).toEqual(added.map(([id]) => id));
});

it('are found when the service writes a number in another form', async () => {
	const items = await addRows({ [article]: 'x', [quantity]: '2.0' }, { [quantity]: 5 });
	const added = linesOf(testbed.service, orderId).slice(-2);
	expect(items.map(({ _rowId }) => _rowId)).toEqual(added.map(([id]) => id));
});

it('are left out when an older row is the same', async () => {
	await addRows({ [article]: 'twin', [quantity]: 1 });
	const [item] = await addRows({ [article]: 'twin', [quantity]: 1 });
	expect(item).toEqual({ _recordId: orderId });
	expect(linesOf(testbed.service, orderId).filter(([, text]) => text === 'twin')).toHaveLength(2);
});

it('are read when the answer does not carry the record', async () => {
	testbed.service.switches.answerCarriesData = false;
	const items = await addRows({ [article]: 'x' }, { [article]: 'y' });
	const added = linesOf(testbed.service, orderId).slice(-2);
	expect(added.map(([, text]) => text)).toEqual(['x', 'y']);
	expect(items).toEqual(
		added.map(([_rowId, text]) =>
			expect.objectContaining({ _recordId: orderId, _rowId, [article]: text }),
		),
	);
	expect(testbed.reads).toHaveLength(1);
});

it('are left out when the answer does not carry the record, and nobody tells it', async () => {
	testbed.service.switches.answerCarriesData = false;
	testbed.service.faults.inject({
		kind: 'body',
		body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		when: ({ method }) => method === 'GET',
		times: Infinity,
	});
	expect(await addRows({ [article]: 'x' })).toEqual([{ _recordId: orderId }]);
});

it('are left out when the answer shows other values than were written', async () => {
	const body = `{"status":"SUCCESS","svcId":7,"data":{"_subtable_2000001":{"9":{"3000001":"X"}}}}`;
	testbed.service.faults.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
	const [item] = await addRows({ [article]: 'x' });
	expect(item).toEqual({ _recordId: orderId });
});
