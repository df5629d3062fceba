import type { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import { InputError } from '../../../../nodes/api/values/inputError';
import {
	beginAnew,
	clock,
	minute,
	refusal,
	schemaOf,
	useSources,
	webPage,
} from './sources/fieldSources';

beginAnew();

const total = { fieldId: '1000001', fieldName: 'Total', type: 'number' };
const added = { fieldId: '1000002', fieldName: 'Added', type: 'date' };
const items = { subtableId: '2000001', name: 'Items', fields: [] };
const parts = { subtableId: '2000002', name: 'Parts', fields: [] };
const definition = { body: { fields: { fid1000001: { name: 'Total' } } } };
const nothing = { body: {} };
/** Answers of a service that refuses nothing, for a sheet without fields. */
const nothingListed = { schema: nothing, definition: nothing, recordsById: nothing };
const listOf = (fields: object[], subtables: object[]) => ({ body: { fields, subtables } });

/** A new run, after another run loaded the list, the list has grown, and time passed. */
async function laterRun(minutes = 0) {
	const service = useSources({ schema: listOf([total], [items]) });
	await (await service.newFields()).load();
	service.asked();
	service.answers.schema = listOf([total, added], [items, parts]);
	clock.milliseconds += minutes * minute;
	return { ...service, sheetFields: await service.newFields() };
}

const named = (name: string) => (index: FieldIndex) => index.require(name, 'record').fieldId;

it('a field that was added a moment ago is found, with one request', async () => {
	const { sheetFields, asked } = await laterRun();
	expect((await sheetFields.field('Added')).fieldId).toBe('1000002');
	expect(asked()).toEqual(['schema']);
});

it('a known field is found in an old list, without a request', async () => {
	const { sheetFields, asked } = await laterRun(9);
	expect(await sheetFields.resolved(['Total'], named('Total'))).toBe('1000001');
	expect(asked()).toEqual([]);
});

it('a list that this run loaded is not loaded again for an unknown name', async () => {
	const { newFields, asked } = useSources({ schema: schemaOf(total) });
	const sheetFields = await newFields();
	await expect(sheetFields.resolved(['Totl'], named('Totl'))).rejects.toThrow(InputError);
	expect(asked()).toEqual(['schema']);
});

it('an unknown name is looked for among the known fields if the service lists none any more', async () => {
	const { sheetFields, answers } = await laterRun();
	answers.schema = refusal;
	await expect(sheetFields.field('Totl')).rejects.toThrow("Did you mean 'Total'?");
});

it('a name stays known when a later list lacks its field, because a delivery may still have it', async () => {
	const { newFields, answers } = useSources({ schema: schemaOf(total, added) });
	const both = { ' 1000001': 'Total', ' 1000002': 'Added' };
	expect(await (await newFields()).names()).toEqual(both);
	answers.schema = schemaOf({ ...total, fieldName: 'Sum' });
	clock.milliseconds += 11 * minute;
	expect(await (await newFields()).names()).toEqual({ ...both, ' 1000001': 'Sum' });
});

it('an error that is not about the input is thrown at once, without a new list', async () => {
	const { sheetFields, asked } = await laterRun();
	const failing = sheetFields.resolved([], () => {
		throw new Error('no memory');
	});
	await expect(failing).rejects.toThrow('no memory');
	expect(asked()).toEqual([]);
});

it.each([
	{ title: 'in a new list after two minutes', minutes: 2, isFound: true, requests: ['schema'] },
	{ title: 'in the known list for a minute', minutes: 0.9, isFound: false, requests: [] },
])('a name that may be ignored is looked for $title', async ({ minutes, isFound, requests }) => {
	const { sheetFields, asked } = await laterRun(minutes);
	const knows = (index: FieldIndex) => index.hasName('Added', 'record');
	expect(await sheetFields.resolved(['Added'], knows, (isKnown) => isKnown)).toBe(isFound);
	expect(asked()).toEqual(requests);
});

it('a name that may be ignored is looked for once in a list that this run loaded', async () => {
	const { newFields, asked } = useSources({ schema: schemaOf(total) });
	const sheetFields = await newFields();
	const look = jest.fn(() => 'incomplete');
	await sheetFields.load();
	clock.milliseconds += 5 * minute;
	expect(await sheetFields.resolved(['Added'], look, () => false)).toBe('incomplete');
	expect(look).toHaveBeenCalledTimes(1);
	expect(asked()).toEqual(['schema']);
});

it.each([
	{ title: 'IDs are', keys: ['1000001', 'Total (1000002)'] },
	{ title: 'an empty list of names is', keys: [] },
])('$title accepted if no source lists fields', async ({ keys }) => {
	const sheetFields = await useSources().newFields();
	expect(await sheetFields.resolved(keys, (index) => index.fields.length)).toBe(0);
});

it('the error for a name that no source lists is about the name, not about an ID beside it', async () => {
	const sheetFields = await useSources().newFields();
	const resolving = sheetFields.resolved(['1000001', 'Total'], (index) => index.fields.length);
	await expect(resolving).rejects.toThrow("The field 'Total' cannot be found by its name");
});

it.each([{ key: '2000009' }, { key: ' 2000009 ' }, { key: '_subtable_2000009' }])(
	"the subtable of '$key' is known without a request",
	async ({ key }) => {
		const { newFields, asked } = useSources();
		expect(await (await newFields()).subtableId(key)).toBe('2000009');
		expect(asked()).toEqual([]);
	},
);

it.each([
	{ title: 'its name', key: 'Items', id: '2000001', requests: [] },
	{ title: 'the name that it got a moment ago', key: 'Parts', id: '2000002', requests: ['schema'] },
])('a subtable is found by $title', async ({ key, id, requests }) => {
	const { sheetFields, asked } = await laterRun();
	expect(await sheetFields.subtableId(key)).toBe(id);
	expect(asked()).toEqual(requests);
});

it('the error for an unknown subtable lists those of the newest list', async () => {
	const { sheetFields } = await laterRun();
	const looking = sheetFields.subtableId('Item');
	await expect(looking).rejects.toThrow(InputError);
	await expect(looking).rejects.toThrow("Its subtables are 'Items' (2000001), 'Parts' (2000002)");
});

it.each([
	{ title: 'is listed', subtableId: '2000001', requests: [] },
	{ title: 'was added a moment ago', subtableId: '2000002', requests: ['schema'] },
])('a required subtable passes if it $title', async ({ subtableId, requests }) => {
	const { sheetFields, asked } = await laterRun();
	await expect(sheetFields.requireSubtable(subtableId)).resolves.toBeUndefined();
	expect(asked()).toEqual(requests);
});

it('a known subtable passes in a list of several', async () => {
	const sheetFields = await useSources({ schema: listOf([total], [items, parts]) }).newFields();
	await expect(sheetFields.requireSubtable('2000001')).resolves.toBeUndefined();
});

it.each([
	{
		title: 'the sheet has no such subtable',
		answer: listOf([total], [items, parts]),
		advice:
			"Its subtables are 'Items' (2000001), 'Parts' (2000002). Check the sheet and the ID of the subtable.",
	},
	{
		title: 'no source lists anything',
		answer: refusal,
		advice: 'Check the sheet and the ID of the subtable.',
	},
])('a required subtable is an error if $title', async ({ answer, advice }) => {
	const sheetFields = await useSources({ schema: answer }).newFields();
	const requiring = sheetFields.requireSubtable('2000009');
	await expect(requiring).rejects.toThrow(InputError);
	await expect(requiring).rejects.toMatchObject({
		message: 'The sheet has no subtable 2000009',
		description: advice,
	});
});

it('a required subtable is an error without new requests if another run has just found no list', async () => {
	const { newFields, asked } = useSources(nothingListed);
	const [first, second] = [await newFields(), await newFields()];
	const loading = first.load();
	await expect(second.requireSubtable('2000009')).rejects.toThrow(InputError);
	await expect(loading).resolves.toMatchObject({ isEmpty: true });
	expect(asked()).toEqual(['schema', 'definition', 'recordsById']);
});

it('forgetting the lists does not try a source again that refused', async () => {
	const { newFields, asked } = useSources({ definition });
	await (await newFields()).load();
	const sheetFields = await newFields();
	sheetFields.forgetLists();
	await sheetFields.load();
	expect(asked()).toEqual(['schema', 'definition', 'definition']);
});

it('after a change of permissions, all sources are tried again, and the best one lists the fields', async () => {
	const { answers, newFields, asked } = useSources({ definition });
	await (await newFields()).load();
	answers.schema = schemaOf(total, added);
	const sheetFields = await newFields();
	sheetFields.forgetListsAndRefusals();
	expect((await sheetFields.load()).fields.map(({ type }) => type)).toEqual(['number', 'date']);
	expect(asked()).toEqual(['schema', 'definition', 'schema']);
});

it('a list from a poorer source is replaced after a minute if a better source failed for a moment', async () => {
	const { answers, newFields, asked } = useSources({ schema: webPage, definition });
	await (await newFields()).load();
	answers.schema = schemaOf(total);
	clock.milliseconds += 0.9 * minute;
	expect((await (await newFields()).field('Total')).type).toBeUndefined();
	clock.milliseconds += 0.2 * minute;
	expect((await (await newFields()).field('Total')).type).toBe('number');
	expect(asked()).toEqual(['schema', 'definition', 'schema']);
});

it('each run asks all sources again while a sheet has no fields', async () => {
	const service = useSources({ ...nothingListed });
	expect((await (await service.newFields()).load()).isEmpty).toBe(true);
	service.answers.schema = schemaOf(total);
	expect((await (await service.newFields()).load()).fields).toHaveLength(1);
	expect(service.asked()).toEqual(['schema', 'definition', 'recordsById', 'schema']);
});

it.each([
	{ minutes: 0.5, requests: [] },
	{ minutes: 2, requests: ['schema'] },
])(
	'a delivery with an unknown field loads a list that is $minutes minutes old: $requests',
	async ({ minutes, requests }) => {
		const { sheetFields, asked } = await laterRun(minutes);
		const isComplete = async (names: object) => await Promise.resolve(' 1000002' in names);
		const names = await sheetFields.namesAtOnce({}, isComplete);
		expect([asked(), ' 1000002' in names]).toEqual([requests, requests.length > 0]);
	},
);
