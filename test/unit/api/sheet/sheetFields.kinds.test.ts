import { SheetFields } from '../../../../nodes/api/sheet/sheetFields';
import { FakeService } from '../http/fakeService';
import {
	beginAnew,
	noRecords,
	recordsWith,
	schemaOf,
	sheet,
	sleep,
	useSources,
} from './sources/fieldSources';

beginAnew();

const total = { fieldId: '1000001', fieldName: 'Total', type: 'number' };
const status = { fieldId: '1000002', fieldName: 'Status', type: 'selection' };
const color = { fieldId: '1000003', fieldName: 'Color', type: 'selection', options: ['Red'] };
const untyped = { fieldId: '1000004', fieldName: 'Due' };

it('the kind of a field follows its type, or its newest values if it has no type', async () => {
	const newestRecords = recordsWith(untyped.fieldId, ['2026/01/31', '2026/02/01']);
	const { newFields, asked } = useSources({ schema: schemaOf(total, untyped), newestRecords });
	const sheetFields = await newFields();
	const load = async () => await sheetFields.load({ kinds: true });
	for (const index of [await load(), await load(), await sheetFields.loadKindsIfKnown()]) {
		expect(index?.kinds.get(total.fieldId)?.name).toBe('number');
		expect(index?.kinds.get(untyped.fieldId)?.name).toBe('date');
	}
	expect(asked()).toEqual(['schema', 'newestRecords']);
});

it.each([
	{ code: 'ECONNREFUSED', kind: 'unreachable' },
	{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', kind: 'untrusted' },
])('a write does not begin without kinds if the service is $kind', async ({ code, kind }) => {
	const failure = Object.assign(new Error('no connection'), { code });
	const { answers, newFields } = useSources({ schema: failure });
	const sheetFields = await newFields();
	await expect(sheetFields.loadKindsIfKnown()).rejects.toMatchObject({ kind });
	// The next item of the run asks again.
	answers.schema = schemaOf(total);
	const index = await sheetFields.loadKindsIfKnown();
	expect(index?.kinds.get(total.fieldId)?.name).toBe('number');
});

it('a run does without kinds, also later, if the service failed the first time', async () => {
	const { answers, newFields } = useSources({ schema: { status: 503 } });
	const sheetFields = await newFields();
	expect(await sheetFields.loadKindsIfKnown()).toBeUndefined();
	answers.schema = schemaOf(total);
	expect(await sheetFields.loadKindsIfKnown()).toBeUndefined();
	expect((await sheetFields.load({ kinds: true })).kinds.get(total.fieldId)?.name).toBe('number');
});

it('a run waits half a minute for kinds and names that it can do without', async () => {
	const late = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		return AbortSignal.abort(new Error('late'));
	});
	const service = new FakeService(() => new Promise(() => {}));
	const sheetFields = new SheetFields(await service.connect({ sleep }), sheet);
	expect(await sheetFields.loadKindsIfKnown()).toBeUndefined();
	expect(await sheetFields.names({ ' 1000001': 'Kept' })).toEqual({ ' 1000001': 'Kept' });
	expect(late.mock.calls).toEqual([[30_000], [30_000]]);
});

const observed = new Map([[status.fieldId, ['Done', 'Open']]]);
const none = new Map();

it.each([
	{ title: 'a selection without listed choices', keys: ['Total', 'Status'], choices: observed },
	{ title: 'such a selection by its ID', keys: [status.fieldId], choices: observed },
	{ title: 'no such selection', keys: ['Total'], choices: none },
	{ title: 'a selection with listed choices', keys: ['Color'], choices: none },
	{ title: 'no fields', keys: [], choices: none },
])('choices come from the newest records, which are loaded only if needed: $title', async (row) => {
	const newestRecords = recordsWith(status.fieldId, ['Open', 'Done', 'Open']);
	const { newFields, asked } = useSources({
		schema: schemaOf(total, status, color),
		newestRecords,
	});
	const sheetFields = await newFields();
	expect((await sheetFields.load({ choicesOf: row.keys })).choices).toEqual(row.choices);
	expect(asked().includes('newestRecords')).toBe(row.choices === observed);
});

it('choices come from the newest records that were loaded for the type of another field', async () => {
	const newestRecords = recordsWith(status.fieldId, ['Open', 'Done']);
	const { newFields } = useSources({ schema: schemaOf(status, untyped), newestRecords });
	const sheetFields = await newFields();
	expect((await sheetFields.load({ choicesOf: ['Due'] })).choices).toEqual(observed);
});

it('a selection has no choices while the sheet has no records', async () => {
	const { newFields } = useSources({ schema: schemaOf(status), newestRecords: noRecords });
	const sheetFields = await newFields();
	expect((await sheetFields.load({ choicesOf: ['Status'] })).choices).toEqual(none);
});

it('the values of no fields cost no request', async () => {
	const { newFields, asked } = useSources();
	expect(await (await newFields()).observedValues([])).toEqual(none);
	expect(asked()).toEqual([]);
});
