import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { orders, type Fault } from '../../service';
import { useSkippingClock } from '../clock';
import { upload } from '../file/fileTestbed';
import { itemWithFiles, storedFiles, textFile } from '../record/filesOnItem';
import { asJson, filesOption } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { linesOf } from '../subtableRow/rowTestbed';

useSkippingClock();
const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields } = orders;
const { lines } = orders.subtables;
const { article } = lines.fields;
const rows = `_subtable_${lines.id}`;
const file = filesOption([fields.contract, 'data']);

const values = `={{ JSON.stringify({ '${fields.remark}': $json.text }) }}`;
const valuesWithRows = `={{ JSON.stringify({ '${fields.remark}': $json.text, '${rows}': [{ '${article}': $json.text }] }) }}`;
const keyed = `={{ JSON.stringify({ '${fields.reference}': $json.key, '${fields.customerNumber}': 'C-0001', '${fields.remark}': $json.text }) }}`;
const update = (options: INodeParameters, json = values) => ({
	...{ ...onOrder('update'), ...asJson(json), options },
});
const upsert = (options: INodeParameters = {}) => ({
	...{ ...onOrders('upsert'), matchFields: [fields.reference], ...asJson(keyed), options },
});
const newKeys = keyed.replace('$json.key', "'NEW ' + $json.key");

const operations: Record<string, INodeParameters> = {
	'record update': update({}),
	'record update with files': update(file),
	'record update with rows': update(
		{ rowsMode: 'upsert', rowMatchFields: [article] },
		valuesWithRows,
	),
	'record update that replaces rows': update({ rowsMode: 'replace' }, valuesWithRows),
	'record update that skips what is unchanged': update({ skipUnchanged: true }),
	'record delete': onOrder('delete'),
	'record create or update': upsert(),
	'record create or update that skips what is unchanged': upsert({ skipUnchanged: true }),
	'record create or update of new records': { ...upsert(), ...asJson(newKeys) },
	'record create or update of new records with files': { ...upsert(file), ...asJson(newKeys) },
	'record create only': { ...upsert({ upsertMode: 'createOnly' }), ...asJson(newKeys) },
	'file upload': upload('={{ $json.id }}'),
};

/** Three items: two of one record, and one of another record. Each has a text of its own, and a file. */
async function threeItems(): Promise<INodeExecutionData[]> {
	const items = [
		{ id: 8, key: 'ONE', text: 'first' },
		{ id: 8, key: 'ONE', text: 'second' },
		{ id: 5, key: 'OTHER', text: 'other' },
	];
	return await Promise.all(
		items.map(
			async ({ id, key, text }) =>
				await itemWithFiles({ id, key, text }, { data: textFile(`${text}.txt`) }),
		),
	);
}

/** Gives the orders that the items name equal keys, in place of those of the demo data. */
function prepare(): void {
	testbed.service.reset();
	for (const [id, key] of Object.entries({ 8: 'ONE', 5: 'OTHER' })) {
		testbed.order(Number(id)).set(fields.reference, key);
	}
}

function stateOf(id: number) {
	const { service } = testbed;
	const record = service.data.sheet(orders).records.get(id);
	if (!record) return 'deleted';
	return {
		remark: record.text(fields.remark),
		rows: linesOf(service, id).map(([, text]) => text),
		files: storedFiles(service, orders, id, fields.contract).map((stored) => stored?.name),
		comments: record.comments.map(({ text }) => text),
		locked: record.locked,
	};
}

/** Errors of the service, and an answer that is lost. */
const faults: Array<[what: string, fault: Fault]> = [
	['refused', { kind: 'body', body: '{"status":"ERROR","code":101,"msg":"Not now"}' }],
	['unanswered', { kind: 'resetAfterWork' }],
];

/**
 * Runs the node once for each group of items. Returns what a user sees: the outcome of each item, all orders, and the writes. A fault
 * strikes the request at this position.
 */
async function observe(
	parameters: INodeParameters,
	groups: INodeExecutionData[][],
	struck: number,
	fault: Fault,
) {
	prepare();
	let position = 0;
	testbed.inject({ ...fault, when: () => position++ === struck });
	const ends: unknown[] = [];
	for (const items of groups) {
		const result = await testbed.runById(parameters, items, { onError: 'continueRegularOutput' });
		ends.push(
			...result.items.map(({ json }) => [
				json.error ?? [json._recordId, json[fields.remark], json._action],
				// Only a run knows of its earlier items.
				String(json._warning ?? '').replace(/The rows of \S+ that an earlier item gave .*$/, ''),
			]),
		);
	}
	return {
		ends,
		orders: [...testbed.orders.records.keys()].map(stateOf),
		writes: testbed.writes.map(({ method, rawUrl }) => `${method} ${rawUrl}`),
	};
}

/** Returns the number of requests for an item, if nothing was read before. */
async function countOfRequests(parameters: INodeParameters, item: INodeExecutionData) {
	// The first run of a process also learns the names.
	for (let run = 0; run < 2; run++) {
		prepare();
		expect((await testbed.runById(parameters, [item])).status).toBe('success');
	}
	return testbed.service.requests.count;
}

describe.each(faults)('a request that is %s', (_, fault) => {
	it.each(Object.keys(operations))('leaves nothing for the next item: %s', async (name) => {
		const parameters = operations[name] ?? {};
		prepare();
		const items = await threeItems();
		const [first, ...others] = items;
		if (!first) throw new Error('There are no items');
		const count = await countOfRequests(parameters, first);
		expect(count).toBeGreaterThan(0);
		for (let struck = 0; struck < count; struck++) {
			const apart = [items.slice(0, 1), ...others.map((item) => [item])];
			const [together, expected] = [
				await observe(parameters, [items], struck, fault),
				await observe(parameters, apart, struck, fault),
			];
			expect(together).toEqual(expected);
		}
	});
});
