import type { SheetFields } from '../../../../../nodes/api/sheet/sheetFields';
import type { FakeAnswer } from '../../http/fakeService';
import { beginAnew, clock, minute, noRecords, schemaOf, useSources } from './fieldSources';

beginAnew();

const [first, second] = ['1000001', '1000002'];
const doubled = schemaOf(
	{ fieldId: first, fieldName: 'Note' },
	{ fieldId: second, fieldName: 'Note' },
);
const unique = schemaOf({ fieldId: first, fieldName: 'Note' });
const recordsById: FakeAnswer = { body: { 7: { [first]: 'a', [second]: 'b' } } };
const recordsByName: FakeAnswer = { body: { 7: { Note: 'a', Note2: 'b' } } };
const readNames = async (sheetFields: SheetFields) =>
	(await sheetFields.load({ readNames: true })).fields.map(({ readName }) => readName);

it('the names in reads of fields with the same name are loaded once for all runs of ten minutes', async () => {
	const { newFields, asked } = useSources({ schema: doubled, recordsById, recordsByName });
	for (const passed of [0, 9]) {
		clock.milliseconds += passed * minute;
		const sheetFields = await newFields();
		expect(await readNames(sheetFields)).toEqual(['Note', 'Note2']);
		expect(await sheetFields.names()).toEqual({ [` ${first}`]: 'Note', [` ${second}`]: 'Note2' });
	}
	expect(asked()).toEqual(['schema', 'recordsById', 'recordsByName']);
});

it('the names in reads of fields with unique names cost no request', async () => {
	const { newFields, asked } = useSources({ schema: unique, recordsById, recordsByName });
	expect(await readNames(await newFields())).toEqual([undefined]);
	expect(asked()).toEqual(['schema']);
});

it('the names in reads are asked for by each run while the sheet has no records', async () => {
	const { answers, newFields } = useSources({ schema: doubled, recordsById: noRecords });
	expect(await readNames(await newFields())).toEqual([undefined, undefined]);
	Object.assign(answers, { recordsById, recordsByName });
	expect(await readNames(await newFields())).toEqual(['Note', 'Note2']);
});

it.each([
	{ title: 'refused', answer: { status: 403 } },
	{ title: 'answered with an error', answer: { status: 500 } },
])('fields are listed without their names in reads if these are $title', async ({ answer }) => {
	const { newFields } = useSources({ schema: doubled, recordsById: answer });
	expect(await readNames(await newFields())).toEqual([undefined, undefined]);
});
