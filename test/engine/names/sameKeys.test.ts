import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName, type Switches } from '../../service';
import { upload } from '../file/fileTestbed';
import { byIds, mass } from '../massOperation/massParameters';
import { itemWithFiles, textFile } from '../record/filesOnItem';
import { asJson, autoMapped } from '../record/recordValues';
import { recordId, sheet, unname } from '../recordTestbed';
import { activatePolling } from '../runner';
import { useFreshTriggerTestbed } from '../trigger/triggerTestbed';

/** Every output of every operation has the same keys as a read with field names. */
const trigger = useFreshTriggerTestbed();
const { fields, subtables } = orders;
const { lines } = subtables;
const onOrders = { sheet: sheet(orders) };
const linesKey = `_subtable_${lines.id}`;

const plain = ['City', 'Reference', 'Remark', 'Total'];
const untitled = `Untitled (${fields.unnamed})`;
const oddNames = [...plain, 'Note', 'Note2', '_internal', 'SO', '1977 (1000092)'];

function namePlainly(): void {
	const { fields: sheetFields } = trigger.service.data.sheet(orders);
	for (const field of sheetFields) {
		if (field.id === fields.secondNote) field.name = 'Other Note';
	}
}

/** Gives two fields the same name, and removes the name of one field. The orders already have such fields. */
function nameOddly(): void {
	const ordersSheet = trigger.service.data.sheet(orders);
	unname(trigger.service);
	const added = ['_internal', 'SO', '1977'];
	for (const [place, name] of added.entries()) {
		ordersSheet.fields.push({ id: `${1000090 + place}`, name, type: 'text' });
	}
	ordersSheet.subtables[0]?.fields.push(
		{ id: '3000098', name: 'Article', type: 'text' },
		{ id: '3000099', name: '', type: 'text' },
	);
}

function learntFromRecords(): void {
	Object.assign(trigger.service.switches, { schema: 'code106', definition: 'code106' });
}

interface User {
	who: string;
	identity: IdentityName;
	limit?: () => void;
}
const admin: User = { who: 'an administrator, who may see the schema', identity: 'admin' };
const member: User = { who: 'a member, who may see the definition', identity: 'member' };
const reader: User = {
	who: 'a member, who may see records only',
	identity: 'member',
	limit: learntFromRecords,
};

/** Names of a field without a name: in reads, in the language of the account, and in the output. */
const languages: Array<{ word: Switches['untitledWord']; unnamed: string; users: User[] }> = [
	{ word: 'Untitled', unnamed: untitled, users: [admin, member, reader] },
	{ word: '未命名', unnamed: untitled, users: [admin, member] },
	// Records alone cannot distinguish a placeholder from a name.
	{ word: '未命名', unnamed: '未命名', users: [reader] },
	// A word in Latin letters is not replaced, because each read would need an additional list of fields.
	{ word: 'Sin título', unnamed: 'Sin título', users: [member] },
];
const oddCases = languages.flatMap(({ word, unnamed, users }) =>
	users.map((user) => ({
		...user,
		where: `names are missing (${word}), double or odd`,
		isOdd: true,
		names: [...oddNames, unnamed],
		prepare() {
			nameOddly();
			const asDeployed = { unnamedFields: 'untitled', untitledWord: word };
			if (word !== 'Untitled') Object.assign(trigger.service.switches, asDeployed);
		},
	})),
);
// Unique names are the same in every source.
const cases = [
	{ ...admin, where: 'all names differ', isOdd: false, names: plain, prepare: namePlainly },
	...oddCases,
];

describe.each(cases)('where $where, for $who', ({ names, isOdd, prepare, identity, limit }) => {
	beforeEach(() => {
		prepare();
		limit?.();
	});

	async function run(
		parameters: INodeParameters,
		items?: Parameters<typeof trigger.testbed.run>[1],
	) {
		const allParameters = { resource: 'record', ...onOrders, ...parameters };
		const credentials = trigger.credentials(identity);
		const result = await trigger.testbed.run(allParameters, items, { credentials });
		expect(result.error).toBeUndefined();
		expect(result.hints).toEqual([]);
		return result.json;
	}

	/** Returns the current record. */
	const read = async (id: unknown) =>
		(await run({ operation: 'get', recordId: recordId(String(id)) }))[0] ?? {};

	/** Returns an item without the keys that only writes add. */
	const recordOf = (item: IDataObject = {}) =>
		Object.fromEntries(
			Object.entries(item).filter(([key]) => !/^_(?:action|fileNames)$/.test(key)),
		);

	const changes = { [fields.remark]: 'new', [fields.note]: 'one', [fields.secondNote]: 'two' };
	const rows = { [linesKey]: [{ [lines.fields.article]: 'Chair', 3000098: 'x', 3000099: 'y' }] };
	const known = () => (isOdd ? rows : { [linesKey]: [{ [lines.fields.article]: 'Chair' }] });

	it('a written record has the same keys as a read one', async () => {
		const first = { [fields.customerNumber]: 'C-0001', ...changes, ...known() };
		const [created] = await run({ operation: 'create', ...asJson(first) });
		const asRead = await read(created?._recordId);
		expect(Object.keys(asRead)).toEqual(expect.arrayContaining([...names, linesKey]));
		expect(recordOf(created)).toEqual(asRead);

		const of = { recordId: recordId(String(created?._recordId)) };
		const update = { operation: 'update', ...of, ...asJson({ ...changes, [fields.city]: 'Ulm' }) };
		const [updated] = await run(update);
		expect(recordOf(updated)).toEqual(await read(created?._recordId));

		const upsert = { operation: 'upsert', matchFields: [fields.reference] };
		const other = asJson({ ...first, [fields.reference]: 'REF-NEW' });
		const [made] = await run({ ...upsert, ...other });
		expect(made?._action).toBe('created');
		expect(recordOf(made)).toEqual(await read(made?._recordId));
		const [changed] = await run({
			...upsert,
			...asJson({ ...changes, [fields.reference]: 'REF-NEW' }),
		});
		expect(changed?._action).toBe('updated');
		expect(recordOf(changed)).toEqual(await read(made?._recordId));

		const files = [await itemWithFiles({}, { data: textFile('new.txt') })];
		const [uploaded] = await run(upload(String(made?._recordId)), files);
		expect(recordOf(uploaded)).toEqual(await read(made?._recordId));

		const [listed] = await run({ operation: 'getAll', options: { newestFirst: true }, limit: 1 });
		expect(Object.keys(listed ?? {})).toEqual(Object.keys(asRead));
		const [previewed = {}] = await run(
			mass('lock', { ...byIds(String(made?._recordId)), options: { preview: true } }),
		);
		expect({ ...previewed, [linesKey]: uploaded?.[linesKey] }).toEqual(recordOf(uploaded));
	});

	it('a record that was not written has the keys of a written one', async () => {
		for (const operation of ['update', 'upsert']) {
			const oneRecord = { recordId: recordId(9), matchFields: [fields.remark] };
			const values = asJson({ ...changes, [fields.remark]: 'KEY' });
			await run({ operation: 'update', ...oneRecord, ...values });
			const options = { skipUnchanged: true };
			const [unchanged] = await run({ operation, ...oneRecord, ...values, options });
			expect(unchanged?._action).toBe('unchanged');
			const second = isOdd ? 'Note2' : 'Other Note';
			expect(unchanged).toMatchObject({ Remark: 'KEY', Note: 'one', [second]: 'two' });
			const written = Object.keys(await read(9));
			expect(Object.keys(unchanged ?? {})).toEqual([...written, '_action', '_changed']);
		}
	});

	it('a written row has the same keys as a read one', async () => {
		const row = { resource: 'subtableRow', recordId: recordId(11), subtableId: lines.id };
		const values = { inputMode: 'json', rowJson: JSON.stringify(known()[linesKey]?.[0]) };
		const [added] = await run({ ...row, operation: 'add', ...values });
		const asRead = async () =>
			(await run({ ...row, operation: 'getAll', returnAll: true })).find(
				({ _rowId }) => _rowId === added?._rowId,
			);
		expect(Object.keys(added ?? {})).toEqual(expect.arrayContaining(['Article', 'Unit Price']));
		expect(added).toEqual(await asRead());
		const rowId = String(added?._rowId);
		const [updated] = await run({ ...row, operation: 'update', rowId, ...values });
		expect(updated).toEqual(await asRead());
	});

	it('the trigger emits the same keys as a read, with and without Fetch Record', async () => {
		const credentials = trigger.credentials(identity);
		trigger.service.data.record(orders, 5).set(fields.note, 'one');
		const asRead = await read(5);
		for (const options of [{}, { fetchRecord: true }]) {
			const listener = await trigger.listenAsItIs({ options }, { credentials });
			await listener.post(trigger.body([5]));
			const [item] = await listener.items();
			expect(item?.record).toEqual(asRead);
		}
	});

	it('the polling trigger emits the same keys as a read', async () => {
		const credentials = trigger.credentials(identity);
		const parameters = { ...onOrders, events: ['UPDATE'] };
		const poller = await activatePolling({ parameters, credentials });
		expect(await poller.poll()).toEqual([]);
		trigger.service.people.edit(orders, 5, { [fields.note]: 'one', [fields.secondNote]: 'two' });
		const [item] = await poller.poll();
		poller.close();
		const info = { recordId: recordId('5'), options: { info: true } };
		const [asRead] = await run({ operation: 'get', ...info });
		// The position in the answer is only returned if this information is requested.
		expect(item?.record).toEqual({ ...asRead, _seq: undefined });
		expect(item?.record).not.toHaveProperty('_seq');
	});
});

/** Field names that are reserved keys of records and items. */
const taken = [
	...['_recordId', '_title', '_starred', '_star', '_index_title_', '_svcId', '_action', '_rowId'],
];

describe('fields with the names of reserved keys', () => {
	const values = Object.fromEntries(
		taken.map((name, place) => [`${name} (${1000090 + place})`, `x${name}`]),
	);
	beforeEach(() => {
		namePlainly();
		for (const [place, name] of taken.entries()) {
			const field = { id: `${1000090 + place}`, name, type: 'text' as const };
			trigger.service.data.sheet(orders).fields.push(field);
			trigger.service.data
				.sheet(orders)
				.subtables[0]?.fields.push({ ...field, id: `30000${90 + place}` });
			trigger.service.data.record(orders, 5).set(field.id, `x${name}`);
		}
	});

	it('have their IDs appended to their names in the output of a write, and the record keeps its ID', async () => {
		const credentials = trigger.credentials('admin');
		const update = { resource: 'record', operation: 'update', ...onOrders, recordId: recordId(5) };
		const written = asJson({ City: 'Ulm', [linesKey]: [{ 3000090: 'x' }] });
		const { items } = await trigger.testbed.run({ ...update, ...written }, [{}], {
			credentials,
		});
		const [json = {}] = items.map((item) => item.json);
		expect(json).toMatchObject({ ...values, City: 'Ulm', _recordId: 5, _action: 'updated' });
		expect(json).toMatchObject({ _title: 'SO-00005' });
		const [row] = [json[linesKey]].flat().slice(-1);
		const ofRow = { '_recordId (3000090)': 'x', '_rowId (3000097)': '' };
		expect(row).toMatchObject({ _rowId: expect.any(Number), ...ofRow });
	});

	it('are not used as the record ID when a read record is written back', async () => {
		const data = trigger.service.data;
		const record = data.record(orders, 12).set('1000090', '7');
		const other = data.record(orders, 7).text(fields.city);
		const get = { resource: 'record', ...onOrders, operation: 'getAll', returnAll: true };
		const conditions = [{ field: '1000090', operator: 'eq', value: '7' }];
		const credentials = trigger.credentials('admin');
		const list = { ...get, filters: { conditions } };
		const { items } = await trigger.testbed.run(list, [{}], { credentials });
		const [read = {}] = items.map(({ json }) => json);
		expect(read).toMatchObject({ _recordId: 12, '_recordId (1000090)': '7' });
		const which = { recordId: recordId('={{ $json._recordId }}') };
		const update = { ...get, operation: 'update', ...which, ...autoMapped() };
		await trigger.testbed.run(update, [{ ...read, City: 'Linz' }], { credentials });
		expect([record.text(fields.city), record.text('1000090')]).toEqual(['Linz', '7']);
		expect(data.record(orders, 7).text(fields.city)).toBe(other);
	});
});
