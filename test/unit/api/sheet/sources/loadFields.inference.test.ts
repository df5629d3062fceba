import {
	loadTypedList,
	loadInferredFields,
} from '../../../../../nodes/api/sheet/sources/loadFields';
import { SheetFields } from '../../../../../nodes/api/sheet/sheetFields';
import {
	beginAnew,
	noRecords,
	recordsWith,
	schemaOf,
	sheet,
	useSources,
	webPage,
} from './fieldSources';

beginAnew();

const fieldId = '1000001';
/** A field without a type: the newest records are loaded because of it. */
const untyped = { fieldId: '1000009', fieldName: 'Other' };
const repeated = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'Open' : 'Done'));
const manyChoices = (count: number) => Array.from({ length: count }, (_, at) => `Choice ${at + 1}`);
const [longest, tooLong] = ['a'.repeat(100), 'a'.repeat(101)];

/** The choices that the newest records suggest for a field with these values. */
async function choicesOf(properties: object | undefined, values: readonly unknown[]) {
	const listed = properties ? [{ fieldId, fieldName: 'Status', ...properties }] : [];
	const { newRun } = useSources({
		schema: schemaOf(...listed, untyped),
		newestRecords: recordsWith(fieldId, values),
	});
	return (await loadTypedList(await newRun(), sheet)).choices.get(fieldId);
}

it.each([
	{ title: 'a selection', field: { type: 'selection' }, values: ['b', 'a'], choices: ['a', 'b'] },
	{
		title: 'repeated texts without a type',
		field: {},
		values: repeated,
		choices: ['Done', 'Open'],
	},
	{ title: 'lists without a type', field: {}, values: [['b'], ['a']], choices: ['a', 'b'] },
	{ title: 'an unlisted field', field: undefined, values: repeated, choices: ['Done', 'Open'] },
	{
		title: 'a selection with choices of 100 letters',
		field: { type: 'selection' },
		values: [longest],
		choices: [longest],
	},
	{
		title: 'a selection with 200 choices',
		field: { type: 'multiple selection' },
		values: [manyChoices(200)],
		choices: manyChoices(200),
	},
])('values in use are offered as choices: $title', async ({ field, values, choices }) => {
	expect(await choicesOf(field, values)).toEqual(choices);
});

it.each([
	{ title: 'a selection whose choices are listed', field: { type: 'selection', options: ['a'] } },
	{ title: 'a text field', field: { type: 'text' } },
	{ title: 'texts that differ', field: {}, values: manyChoices(10) },
	{ title: 'numbers', field: {}, values: repeated.map((text) => (text === 'Open' ? '1' : '2')) },
	{ title: 'a choice over 100 letters', field: { type: 'selection' }, values: ['a', tooLong] },
	{ title: 'over 200 choices', field: { type: 'selection' }, values: [manyChoices(201)] },
])('values in use are not offered as choices: $title', async ({ field, values = repeated }) => {
	expect(await choicesOf(field, values)).toBeUndefined();
});

it('kinds and choices come from the newest records if no source lists fields', async () => {
	const { newRun } = useSources({
		recordsById: webPage,
		newestRecords: recordsWith(fieldId, [['b'], ['a']]),
	});
	const { fields, subtables, kinds, choices } = await loadTypedList(await newRun(), sheet);
	expect({ fields, subtables }).toEqual({ fields: [], subtables: [] });
	expect(kinds.get(fieldId)?.name).toBe('multipleSelection');
	expect(choices).toEqual(new Map([[fieldId, ['a', 'b']]]));
});

it.each([
	{ type: 'text', kind: 'text' },
	{ type: 'multiple selection', kind: 'multipleSelection' },
	{ type: undefined, kind: 'number' },
])('a listed type decides the kind of a field, not its values: $type', async ({ type, kind }) => {
	const { newRun } = useSources({
		schema: schemaOf({ fieldId, fieldName: 'Status', type }, untyped),
		newestRecords: recordsWith(fieldId, ['1.50', '2', '30']),
	});
	const { kinds } = await loadTypedList(await newRun(), sheet);
	expect(kinds.get(fieldId)?.name).toBe(kind);
});

it('nothing is inferred for a sheet without records', async () => {
	const { newRun } = useSources({ schema: schemaOf(untyped), newestRecords: noRecords });
	const nothing = { kinds: new Map(), choices: new Map() };
	expect(await loadInferredFields(await newRun(), sheet)).toEqual(nothing);
	expect(await loadTypedList(await newRun(), sheet)).toMatchObject(nothing);
});

it('the newest 200 records are read with IDs as keys, whatever they hold', async () => {
	const { newRun, service } = useSources({ newestRecords: noRecords });
	await loadInferredFields(await newRun(), sheet);
	const { searchParams } = service.requests[0]?.url ?? new URL('https://host');
	expect(Object.fromEntries(searchParams)).toMatchObject({
		naming: 'EID',
		order: '105,DESC',
		limit: '200',
		offset: '0',
	});
	expect(searchParams.has('where')).toBe(false);
});

it('the newest records are not requested after the service refused the records as a source of fields', async () => {
	const { newRun, asked } = useSources();
	const { kinds } = await loadTypedList(await newRun(), sheet);
	expect(kinds).toEqual(new Map());
	expect(asked()).toEqual(['schema', 'definition', 'recordsById']);
});

it('kinds are inferred anew after the lists were forgotten', async () => {
	const { answers, newRun } = useSources({
		schema: schemaOf(untyped),
		newestRecords: recordsWith(untyped.fieldId, ['2026/01/31']),
	});
	await loadTypedList(await newRun(), sheet);
	answers.newestRecords = recordsWith(untyped.fieldId, ['12']);
	const run = await newRun();
	new SheetFields(run, sheet).forgetLists();
	const { kinds } = await loadTypedList(run, sheet);
	expect(kinds.get(untyped.fieldId)?.name).toBe('number');
});
