import {
	addRows,
	deleteRows,
	isRefusedWhole,
	noSuchRow,
	updateRows,
	withDroppedRows,
	type KnownRows,
} from '../../../../nodes/api/rows/subtableRows';
import { ServiceError, type FailureDetails } from '../../../../nodes/api/http/serviceError';
import type { FieldValue, RowContent } from '../../../../nodes/api/write/recordContent';
import { jsonObject } from '../jsonObject';
import { file, record, refused, RowService, saved, withRows } from './rowService';

const subtable = { ...record, subtableId: '20' };
const row = (
	values: Record<string, FieldValue>,
	overrides: Partial<RowContent> = {},
): RowContent => ({
	values: new Map(Object.entries(values)),
	files: [],
	kinds: new Map(),
	...overrides,
});
const content = (rows: object) => jsonObject(JSON.stringify(withRows(rows)));
const notShown =
	'The record does not show the new rows as they were written: a subtable that shows linked records drops new ones.';

describe('added rows', () => {
	interface Setup {
		service: RowService;
		rows: RowContent[];
		before?: object;
		known?: KnownRows;
	}

	async function added({ service, rows, before, known = new Map() }: Setup) {
		const load = jest.fn(async () => before && content(before));
		const client = await service.connect();
		const results = await addRows(client, subtable, rows, { known, loadRecord: load });
		return { results, known, loads: load.mock.calls.length };
	}

	it('are sent in one request, and returned with their IDs and contents', async () => {
		const data = withRows({ 7: { 1: 'old' }, 9: { 1: 'b' }, 8: { 1: 'a' } });
		const service = new RowService([], [saved(data)]);
		const input = { service, rows: [row({ 1: 'a' }), row({ 1: 'b' })], before: { 7: {} } };
		const { results, known } = await added(input);
		expect(service.writes).toEqual([{ _subtable_20: { '-2': { 1: 'a' }, '-1': { 1: 'b' } } }]);
		expect(service.reads).toBe(0);
		expect(results).toMatchObject([{ rowId: '8' }, { rowId: '9' }]);
		expect(results.map((result) => result.row?.get('1'))).toEqual(['a', 'b']);
		expect(results.map(({ warning }) => warning)).toEqual([undefined, undefined]);
		expect([...known.values()]).toEqual([new Set(['7', '9', '8'])]);
	});

	it('are the rows that did not exist after the previous write, without another read', async () => {
		const first = withRows({ 7: { 1: 'a' } });
		const service = new RowService([], [saved(first), saved(withRows({ 7: {}, 8: { 1: 'b' } }))]);
		const client = await service.connect();
		const load = jest.fn(async () => content({}));
		const known: KnownRows = new Map();
		await addRows(client, subtable, [row({ 1: 'a' })], { known, loadRecord: load });
		const again = await addRows(client, subtable, [row({ 1: 'b' })], { known, loadRecord: load });
		expect(again).toMatchObject([{ rowId: '8' }]);
		expect(load).toHaveBeenCalledTimes(1);
		expect([...known.keys()]).toEqual([expect.stringMatching(/ 5 20$/)]);
	});

	it('are read after the write if the answer does not contain them', async () => {
		const service = new RowService([withRows({ 8: { 1: 'a' } })], [saved()]);
		const { results } = await added({ service, rows: [row({ 1: 'a' })], before: {} });
		expect(service.reads).toBe(1);
		expect(results).toMatchObject([{ rowId: '8', warning: undefined }]);
	});

	it('have no IDs if the record cannot be read after the write', async () => {
		const service = new RowService([], [saved()]);
		const { results } = await added({ service, rows: [row({ 1: 'a' })], before: {} });
		expect(results).toEqual([{ rowId: undefined, row: undefined, warning: undefined, notes: [] }]);
	});

	it('have no IDs and no warning if the rows before the write are unknown', async () => {
		const service = new RowService([], [saved(withRows({ 8: { 1: 'a' } }))]);
		const { results } = await added({ service, rows: [row({ 1: 'a' })] });
		expect(results).toMatchObject([{ rowId: undefined, row: undefined, warning: undefined }]);
	});

	it.each([
		{ title: 'the subtable has fewer rows than were added', rows: { 7: { 1: 'a' } }, files: [] },
		{
			title: 'fewer rows are new than were added, with a file',
			rows: { 7: { 1: 'x' }, 8: { 1: 'a' } },
			files: [{ fieldId: '2', file }],
		},
		{ title: 'the record does not show the subtable', rows: undefined, files: [] },
	])('cause an error if $title', async ({ rows, files }) => {
		const service = new RowService([{ 1: 'a' }], [saved(rows ? withRows(rows) : { 1: 'a' })]);
		const input = [row({ 1: 'a' }), row({ 1: 'b' }, { files })];
		await expect(added({ service, rows: input, before: { 7: {} } })).rejects.toMatchObject({
			kind: 'refused',
			message: 'The service did not add rows or files to the subtable 20 of record 5',
			details: {
				description:
					'Check the ID of the subtable, and that the user of the credential may write to it.',
			},
		});
	});

	it('have a warning if the record does not contain them', async () => {
		const service = new RowService([], [saved(withRows({ 7: { 1: 'x' }, 8: { 1: 'y' } }))]);
		const before = { 7: {}, 8: {} };
		const { results } = await added({ service, rows: [row({ 1: 'a' })], before });
		expect(results).toMatchObject([{ rowId: undefined, warning: notShown }]);
	});

	it('have this warning after the words of the service', async () => {
		const data = withRows({ 7: { 1: 'x' }, 8: { 1: 'y' } });
		const answer = { body: { status: 'SUCCESS', svcId: 5, msg: 'Stock is low.', data } };
		const service = new RowService([], [answer]);
		const before = { 7: {}, 8: {} };
		const { results } = await added({ service, rows: [row({ 1: 'a' })], before });
		expect(results).toMatchObject([{ warning: `Stock is low. ${notShown}` }]);
	});

	it('have no warning if one of several equal rows could be the new one', async () => {
		const rows = { 7: { 1: 'a' }, 8: { 1: 'a' }, 9: { 1: 'z' } };
		const service = new RowService([], [saved(withRows(rows))]);
		const { results } = await added({ service, rows: [row({ 1: 'a' })], before: {} });
		expect(results).toMatchObject([{ rowId: undefined, warning: undefined }]);
	});

	it('each have the notes on their own values', async () => {
		const service = new RowService([], [saved(withRows({ 8: { 1: 'a' }, 9: { 1: 'other' } }))]);
		const notes = [{ name: 'Color', reason: 'noChoice' as const }];
		const rows = [row({ 1: 'a' }, { notes }), row({ 1: 'b' })];
		const { results } = await added({ service, rows, before: {} });
		expect(results.map((result) => result.notes?.map(({ name }) => name))).toEqual([
			...[['Color'], ['1']],
		]);
	});

	it('with files are sent as a form', async () => {
		const service = new RowService([], [saved(withRows({ 8: { 1: 'a' } }))]);
		const rows = [row({ 1: 'a' }, { files: [{ fieldId: '2', file }] })];
		await added({ service, rows, before: {} });
		expect([...(service.writes[0] as Iterable<unknown>)]).toEqual([
			['1_-1', 'a'],
			['2_-1', expect.objectContaining({ name: file.name, type: file.type, size: file.size })],
		]);
	});
});

describe('updated rows', () => {
	const rows = new Map([
		['7', row({ 1: 'a' })],
		['8', row({ 1: 'b' })],
	]);
	const updated = async (service: RowService) =>
		await updateRows(await service.connect(), subtable, rows, {});

	it('are returned with their contents, or undefined for a row that does not exist', async () => {
		const service = new RowService([], [saved(withRows({ 7: { 1: 'a' } }))]);
		expect(await updated(service)).toMatchObject([{ rowId: '7' }, undefined]);
		expect(service.writes).toEqual([{ _subtable_20: { 7: { 1: 'a' }, 8: { 1: 'b' } } }]);
	});

	it('count as updated if the record cannot be read after the write', async () => {
		const service = new RowService([], [saved()]);
		expect(await updated(service)).toMatchObject([{ rowId: '7' }, { rowId: '8' }]);
	});

	it('do not exist in a record without the subtable', async () => {
		const service = new RowService([{ 1: 'a' }], [saved({ 1: 'a' })]);
		expect(await updated(service)).toEqual([undefined, undefined]);
	});
});

describe('deleted rows', () => {
	async function deleted(service: RowService, rowIds: string[], before?: object) {
		const client = await service.connect();
		const results = await deleteRows(client, subtable, rowIds, {
			before: before && content(before),
		});
		return results.map((result) => (result instanceof Error ? result.message : result.warning));
	}

	it('are deleted in one request, and an error lists the rows that do not exist', async () => {
		const service = new RowService([], [saved(withRows({ 9: {} }))]);
		const results = await deleted(service, ['7', '12', '8'], { 7: {}, 8: {}, 9: {} });
		expect(results).toEqual([
			...[undefined, 'There is no row 12 in the subtable 20 of record 5', undefined],
		]);
		expect(service.writes).toEqual([{ _DELSUB_20: [7, 8] }]);
	});

	it('are not sent if no such row exists', async () => {
		const service = new RowService([], []);
		expect(await deleted(service, ['12'], { 7: {} })).toEqual([
			'There is no row 12 in the subtable 20 of record 5',
		]);
		expect(service.writes).toEqual([]);
	});

	it('are all sent if the record was not read', async () => {
		const service = new RowService([withRows({})], [saved()]);
		expect(await deleted(service, ['7', '8'])).toEqual([undefined, undefined]);
		expect(service.writes).toEqual([{ _DELSUB_20: [7, 8] }]);
		expect(service.reads).toBe(1);
	});

	it('count as deleted if the record cannot be read afterwards', async () => {
		expect(await deleted(new RowService([], [saved()]), ['7'])).toEqual([undefined]);
	});

	it('cause an error if they still exist', async () => {
		const service = new RowService([], [saved(withRows({ 7: {} }))]);
		expect(await deleted(service, ['7', '8'], { 7: {}, 8: {} })).toEqual([
			'Row 7 of the subtable 20 of record 5 is still there, although the service confirmed its deletion',
			undefined,
		]);
	});

	it('cause an error if the service rejects the deletion', async () => {
		await expect(deleted(new RowService([], [refused()]), ['7'])).rejects.toBeInstanceOf(
			ServiceError,
		);
	});
});

it.each<{ title: string; details: Omit<FailureDetails, 'message'>; isWhole: boolean }>([
	{ title: 'rejected', details: { kind: 'rejected' }, isWhole: true },
	{ title: 'refused with a code', details: { kind: 'refused', code: 0 }, isWhole: true },
	{ title: 'refused with a status', details: { kind: 'refused', status: 400 }, isWhole: true },
	{ title: 'refused in another way', details: { kind: 'refused', status: 399 }, isWhole: false },
	{ title: 'refused without both', details: { kind: 'refused' }, isWhole: false },
	{ title: 'server', details: { kind: 'server', code: 202, status: 500 }, isWhole: false },
])(
	'a whole write was rejected because of its content: $title: $isWhole',
	({ details, isWhole }) => {
		expect(isRefusedWhole(new ServiceError({ message: 'x', ...details }))).toBe(isWhole);
	},
);

it('an error of another kind is not a rejection of the content', () => {
	const other = Object.assign(new Error('x'), { details: { kind: 'rejected' } });
	expect(isRefusedWhole(other)).toBe(false);
});

it.each([
	{ subtableId: '20', place: 'the subtable 20' },
	{ subtableId: undefined, place: 'the subtables' },
])('an error for a missing row names $place', ({ subtableId, place }) => {
	const error = noSuchRow(record, { rowId: '7', subtableId }, 'More.');
	expect(error.details).toEqual({
		kind: 'notFound',
		message: `There is no row 7 in ${place} of record 5`,
		description: 'More.',
		remedy: 'getRows',
	});
});

it('a warning about missing rows is added to an earlier warning', () => {
	expect(withDroppedRows()).toBe(notShown);
	for (const words of ['Stock is low.', 'Stock is low']) {
		expect(withDroppedRows(words)).toBe(`Stock is low. ${notShown}`);
	}
});
