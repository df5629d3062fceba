import type { Client } from '../../../nodes/api/http/client';
import { Journal } from '../../../nodes/api/http/journal';
import { addRows, deleteRows, updateRows } from '../../../nodes/api/rows/subtableRows';
import { kindOfEquality } from '../../../nodes/api/sheet/kinds/equality';
import { submitMassOperation } from '../../../nodes/api/tasks/massOperations';
import { noChanges, withSentRowIds } from '../../../nodes/api/write/recordContent';
import { deleteRecord, updateRecord } from '../../../nodes/api/write/records';
import { FakeService } from '../api/http/fakeService';

/** A write of an item. Another value of a component makes it another step, which an earlier attempt has not done. */
interface Step {
	sheetIndex: number;
	recordId: string;
	subtableId: string;
	rowIds: string[];
	fieldIds: string[];
	/** The sent value, which is no component: an expression such as `$now` has another one in each attempt. */
	value: string;
}

const usual: Step = {
	...{ sheetIndex: 1, recordId: '5', subtableId: '20' },
	...{ rowIds: ['7'], fieldIds: ['1'], value: 'a' },
};
const changed: Step = {
	...{ sheetIndex: 2, recordId: '6', subtableId: '30' },
	...{ rowIds: ['8'], fieldIds: ['2'], value: 'b' },
};
type Component = keyof Step;
const components = Object.keys(usual).filter((name): name is Component => name in changed);

const sheetOf = ({ sheetIndex }: Step) => ({ folders: ['sales'], sheetIndex });
const recordOf = (step: Step) => ({ sheet: sheetOf(step), recordId: step.recordId });
const subtableOf = (step: Step) => ({ ...recordOf(step), subtableId: step.subtableId });
const valuesOf = ({ fieldIds, value }: Step) => new Map(fieldIds.map((id) => [id, value]));
const rowOf = (step: Step) => ({ values: valuesOf(step), files: [], kinds: new Map() });
const noRecord = async () => await Promise.resolve(undefined);

/** The writes, each with the components that make it another step. */
const writes: Record<string, [key: Component[], send: (client: Client, step: Step) => unknown]> = {
	update: [
		['sheetIndex', 'recordId'],
		async (client, step) =>
			await updateRecord(
				client,
				recordOf(step),
				{ changes: { ...noChanges(), fields: valuesOf(step) }, files: [], kinds: new Map() },
				{},
			),
	],
	delete: [
		['sheetIndex', 'recordId'],
		async (client, step) => await deleteRecord(client, recordOf(step)),
	],
	addRows: [
		['sheetIndex', 'recordId', 'subtableId', 'fieldIds'],
		async (client, step) =>
			await addRows(client, subtableOf(step), [rowOf(step)], {
				known: new Map(),
				loadRecord: noRecord,
			}),
	],
	updateRows: [
		['sheetIndex', 'recordId', 'subtableId', 'rowIds'],
		async (client, step) =>
			await updateRows(
				client,
				subtableOf(step),
				new Map(step.rowIds.map((id) => [id, rowOf(step)])),
				{},
			),
	],
	deleteRows: [
		['sheetIndex', 'recordId', 'subtableId', 'rowIds'],
		async (client, step) =>
			await deleteRows(client, subtableOf(step), step.rowIds, { before: undefined }),
	],
	massOperation: [
		['sheetIndex', 'recordId'],
		async (client, step) =>
			await submitMassOperation(client, sheetOf(step), {
				...{ type: 'massLock', body: { action: 'lock' } },
				selection: { kind: 'records', recordIds: [step.recordId] },
			}),
	],
};

describe.each(Object.entries(writes))('the second attempt of %s', (_, [key, send]) => {
	/** Returns whether the second attempt sends a write after the first one confirmed another. */
	async function isSent(first: Step, second: Step): Promise<boolean> {
		const service = new FakeService(() => ({ body: { status: 'SUCCESS', svcId: 5, taskId: 'a' } }));
		const journal = new Journal();
		const client = (await service.connect()).withJournal(journal);
		await send(client, first);
		const count = () => service.requests.filter(({ method }) => method !== 'GET').length;
		const before = count();
		journal.startOver();
		await send(client, second);
		return count() > before;
	}

	it('does not send a confirmed write again', async () => {
		expect(await isSent(usual, usual)).toBe(false);
	});

	it.each(components)('sends a write with another %s exactly if its step has it', async (name) => {
		const second = { ...usual, [name]: changed[name] };
		expect(await isSent(usual, second)).toBe(key.includes(name));
	});
});

it('new rows of two subtables with the same number are sent under different numbers', () => {
	const row = new Map([['1', 'a']]);
	const subtables = new Map([
		['20', new Map([['-1', row]])],
		['30', new Map([['-1', row]])],
	]);
	const { changes } = withSentRowIds({ changes: { ...noChanges(), subtables }, files: [] });
	expect([...changes.subtables.values()].map((rows) => [...rows.keys()])).toEqual([['-2'], ['-1']]);
});

it('the kind of equality is asked for once for each field and value, and once for all words that mean yes', async () => {
	const service = new FakeService(() => ({ body: {} }));
	const client = await service.connect();
	const ask = async (fieldId: string, value: string) => {
		const before = service.requests.length;
		await kindOfEquality(client, sheetOf(usual), fieldId, value);
		return service.requests.length - before;
	};
	expect([await ask('1', '612'), await ask('1', '612')]).toEqual([1, 0]);
	expect([await ask('2', '612'), await ask('1', '613')]).toEqual([1, 1]);
	expect([await ask('1', 'Yes'), await ask('1', 'true'), await ask('1', 'on')]).toEqual([1, 0, 0]);
	expect([await ask('1', 'No'), await ask('2', 'Yes')]).toEqual([1, 1]);
});
