import { deadlineCheckMilliseconds } from '../../../../../nodes/api/http/policies';
import { loadFieldList, loadTypedList } from '../../../../../nodes/api/sheet/sources/loadFields';
import { SheetFields } from '../../../../../nodes/api/sheet/sheetFields';
import { FakeService, type FakeAnswer } from '../../http/fakeService';
import {
	beginAnew,
	clock,
	minute,
	schemaOf,
	sheet,
	sleep,
	useSources,
	webPage,
} from './fieldSources';

const refusal: FakeAnswer = { body: { status: 'ERROR', code: 106, msg: 'No access right' } };
const [due, tags, city] = ['1000001', '1000002', '1000003'];

const typed = schemaOf(
	{ fieldId: due, fieldName: 'Due', type: 'date' },
	{ fieldId: city, fieldName: 'City', type: 'text' },
);
const definition: FakeAnswer = {
	body: { fields: { [`fid${due}`]: { name: 'Due' }, [`fid${tags}`]: { name: 'Tags' } } },
};
const newestRecords: FakeAnswer = {
	body: { 7: { [due]: '2026/01/31', [tags]: ['Gift', 'Bulk'] } },
};

beginAnew();

it('fields, types and choices are loaded once for all runs of ten minutes, with one request if the schema has all types', async () => {
	const service = useSources({ schema: typed, definition, newestRecords });
	for (const passed of [0, 4, 5]) {
		clock.milliseconds += passed * minute;
		const loaded = await loadTypedList(await service.newRun(), sheet);
		expect(loaded.kinds.get(due)?.name).toBe('date');
	}
	expect(service.asked()).toEqual(['schema']);
	clock.milliseconds += 2 * minute;
	await loadTypedList(await service.newRun(), sheet);
	expect(service.asked()).toEqual(['schema']);
});

it('types and choices that the list lacks are inferred from the newest records, once for all runs of ten minutes', async () => {
	const service = useSources({ schema: refusal, definition, newestRecords });
	for (const passed of [0, 9]) {
		clock.milliseconds += passed * minute;
		const { fields, kinds, choices } = await loadTypedList(await service.newRun(), sheet);
		expect(fields.map(({ name }) => name)).toEqual(['Due', 'Tags']);
		expect([kinds.get(due)?.name, kinds.get(tags)?.name]).toEqual(['date', 'multipleSelection']);
		expect(choices).toEqual(new Map([[tags, ['Bulk', 'Gift']]]));
	}
	expect(service.asked()).toEqual(['schema', 'schema', 'definition', 'newestRecords']);
});

it('each run asks again while a sheet has no records to infer from', async () => {
	const service = useSources({ schema: refusal, definition, newestRecords: { body: {} } });
	await loadTypedList(await service.newRun(), sheet);
	service.answers.newestRecords = newestRecords;
	const { kinds } = await loadTypedList(await service.newRun(), sheet);
	expect(kinds.get(due)?.name).toBe('date');
});

it('reading renews neither the cached list nor the cached state of the sources', async () => {
	const service = useSources({ schema: refusal, definition, newestRecords });
	const asked: string[][] = [];
	for (let minutes = 0; minutes <= 63; minutes += 3) {
		await loadFieldList(await service.newRun(), sheet);
		asked.push([String(minutes), ...service.asked()]);
		clock.milliseconds += 3 * minute;
	}
	expect(asked.filter(([, ...sources]) => sources.length > 0)).toEqual([
		['0', 'schema', 'schema', 'definition'],
		...['12', '24', '36', '48'].map((minutes) => [minutes, 'definition']),
		['60', 'schema', 'schema', 'definition'],
	]);
});

it('a refusal is cached for its user and sheet only', async () => {
	const service = useSources({ schema: refusal, definition: refusal, recordsById: refusal });
	expect((await loadFieldList(await service.newRun(), sheet)).isEmpty).toBe(true);
	expect(service.asked()).toHaveLength(6);
	expect((await loadFieldList(await service.newRun(), sheet)).isEmpty).toBe(true);
	expect(service.asked()).toEqual([]);
	await loadFieldList(await service.newRun('other'), sheet);
	await loadFieldList(await service.newRun(), { ...sheet, sheetIndex: 2 });
	expect(service.asked()).toHaveLength(12);
});

it.each([502, 503, 504])(
	'HTTP %d of the first source is thrown, because a poorer list must not be cached',
	async (status) => {
		const service = useSources({ schema: { status }, definition, newestRecords });
		const run = await service.newRun();
		await expect(loadFieldList(run, sheet)).rejects.toMatchObject({ kind: 'server' });
		expect(new Set(service.asked())).toEqual(new Set(['schema']));
	},
);

it('newly loaded names take precedence over kept names', async () => {
	const service = useSources({ schema: typed, definition, newestRecords });
	const kept = { [` ${city}`]: 'Town', ' 1000009': 'Gone' };
	const names = await new SheetFields(await service.newRun(), sheet).names(kept);
	expect(names).toEqual({ [` ${due}`]: 'Due', [` ${city}`]: 'City', ' 1000009': 'Gone' });
});

describe('names for a delivery', () => {
	/** The service never answers, and a wait passes at once and is noted. */
	async function silentService(waits: number[]) {
		const service = new FakeService(() => new Promise(() => {}));
		const noted = async (milliseconds: number) => {
			const isLimit = milliseconds === deadlineCheckMilliseconds;
			if (!isLimit && milliseconds < minute) waits.push(milliseconds);
			await sleep(milliseconds);
		};
		return new SheetFields(await service.connect({ sleep: noted }), sheet);
	}
	const kept = { [` ${city}`]: 'City' };

	it.each([
		{ isComplete: true, milliseconds: 0 },
		{ isComplete: false, milliseconds: 2_000 },
	])(
		'names for a delivery that are complete ($isComplete) are waited for $milliseconds ms',
		async ({ isComplete, milliseconds }) => {
			const waits: number[] = [];
			const sheetFields = await silentService(waits);
			expect(
				await sheetFields.namesAtOnce(kept, async () => await Promise.resolve(isComplete)),
			).toEqual(kept);
			// The request for the names may wait, too.
			expect(waits[0]).toBe(milliseconds);
		},
	);

	it('names for a delivery come from a cached list rather than from kept names', async () => {
		const service = useSources({ schema: typed, definition, newestRecords });
		await new SheetFields(await service.newRun(), sheet).load({ readNames: true });
		const sheetFields = new SheetFields(await service.newRun(), sheet);
		const names = await sheetFields.namesAtOnce(
			{ [` ${city}`]: 'Town' },
			async () => await Promise.resolve(true),
		);
		expect(names[` ${city}`]).toBe('City');
	});
});

it.each([
	['a web page', webPage],
	['a broken connection', new Error('socket hang up')],
])(
	'the newest records are requested again in the same run after %s in their place',
	async (_, failure) => {
		const service = useSources({ schema: refusal, definition, newestRecords: failure });
		const run = await service.newRun();
		await expect(loadTypedList(run, sheet)).rejects.toThrow();
		service.answers.newestRecords = newestRecords;
		expect((await loadTypedList(run, sheet)).kinds.size).toBeGreaterThan(0);
	},
);

it('a refusal of the newest records is cached only if the answer has a code', async () => {
	const service = useSources({
		schema: refusal,
		definition,
		newestRecords: { body: '["no record"]' },
	});
	await loadTypedList(await service.newRun(), sheet);
	service.answers.newestRecords = refusal;
	await loadTypedList(await service.newRun(), sheet);
	await loadTypedList(await service.newRun(), sheet);
	expect(service.asked().filter((source) => source === 'newestRecords')).toHaveLength(3);
});
