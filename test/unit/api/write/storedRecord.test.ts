import { recordMemory } from '../../../../nodes/api/read/memory/recordMemory';
import { RecordLoader } from '../../../../nodes/api/read/recordLoader';
import {
	recordExists,
	StoredRecord,
	storedRecordLoader,
	type StoredRecordNeeds,
} from '../../../../nodes/api/write/storedRecord';
import { FakeService } from '../http/fakeService';
import { passTime, withPassingTime } from '../passingTime';

const sheet = { folders: ['sales'], sheetIndex: 1 };
const address = { sheet, recordId: '5' };

/** Returns a service with one record, whose value contains the number of reads. */
async function serviceWith(members: object = {}, needs: StoredRecordNeeds = {}) {
	const state: { fails: boolean; isGone: boolean } = { fails: false, isGone: false };
	let reads = 0;
	const service = new FakeService(() => {
		reads += 1;
		if (state.fails) return { status: 403 };
		return { body: state.isGone ? {} : { 5: { 1: `read ${reads}`, ...members } } };
	});
	const client = await service.connect();
	const reloadTogether = jest.fn(async () => {});
	const record = new StoredRecord(client, address, needs, reloadTogether);
	const queries = () => service.requests.map(({ url }) => url.search);
	return { state, client, record, queries, reloadTogether };
}

withPassingTime();

it.each<{ title: string; needs: StoredRecordNeeds; query: string }>([
	{ title: 'nothing', needs: {}, query: '' },
	{ title: 'no subtables', needs: { withoutSubtables: true }, query: '&subtables=0' },
	{ title: 'the last change', needs: { withInformation: true }, query: '&info=true' },
	{ title: 'a time zone', needs: { offsetHours: -3.5 }, query: '&tz=-3.5' },
	{ title: 'UTC', needs: { offsetHours: 0 }, query: '&tz=0' },
])(
	'the stored record is read unmasked and as markup, with the needed fields: $title',
	async (row) => {
		const { record, queries } = await serviceWith({}, row.needs);
		await record.before();
		const [query = ''] = queries();
		for (const part of ['&naming=EID', '&bbcode=true', '&ignoreMask=true', row.query]) {
			expect(query).toContain(part);
		}
		for (const part of ['&subtables=', '&info=', '&tz=']) {
			expect(query.includes(part)).toBe(row.query.includes(part));
		}
	},
);

describe('the record before a write', () => {
	it('is read once', async () => {
		const { record, queries, reloadTogether } = await serviceWith();
		expect((await record.before())?.get('1')).toBe('read 1');
		expect((await record.before())?.get('1')).toBe('read 1');
		expect(queries()).toHaveLength(1);
		expect(reloadTogether).toHaveBeenCalledTimes(1);
	});

	it('is read once if it does not exist', async () => {
		const { record, state, queries } = await serviceWith();
		state.isGone = true;
		expect(await record.before()).toBeUndefined();
		expect(await record.before()).toBeUndefined();
		expect(queries()).toHaveLength(1);
	});

	it('is not read again if another write has just read it', async () => {
		const { client, record, queries, reloadTogether } = await serviceWith();
		await storedRecordLoader(client, sheet).load(client, '5');
		expect((await record.before())?.get('1')).toBe('read 1');
		expect(queries()).toHaveLength(1);
		expect(reloadTogether).not.toHaveBeenCalled();
	});

	it('expires after a minute, and after another write of the run', async () => {
		const { client, record } = await serviceWith();
		expect(record.isExpired).toBe(true);
		await record.before();
		expect(record.isExpired).toBe(false);
		recordMemory(client, sheet).sent('6');
		expect(record.isExpired).toBe(true);
		await record.reload();
		expect(record.isExpired).toBe(false);
		passTime(60_000);
		expect(record.isExpired).toBe(true);
	});

	it('is read again together with others if it was read over a minute ago', async () => {
		const { client, record, reloadTogether } = await serviceWith();
		await storedRecordLoader(client, sheet).load(client, '5');
		passTime(60_000);
		expect((await record.before())?.get('1')).toBe('read 2');
		expect(reloadTogether).toHaveBeenCalledTimes(1);
	});

	it('can be read again together with others, or by itself', async () => {
		const { client, record, reloadTogether } = await serviceWith();
		await record.before();
		recordMemory(client, sheet).sent('6');
		expect((await record.reload())?.get('1')).toBe('read 2');
		expect(reloadTogether).toHaveBeenCalledTimes(2);
		expect((await record.readNow())?.get('1')).toBe('read 3');
		expect((await record.before())?.get('1')).toBe('read 3');
		expect(reloadTogether).toHaveBeenCalledTimes(2);
	});

	it('is not read together with others if the run has written it', async () => {
		const { client, record, reloadTogether } = await serviceWith();
		recordMemory(client, sheet).sent('5');
		await record.before();
		expect(reloadTogether).not.toHaveBeenCalled();
	});

	it('is read together with others if it is added later', async () => {
		const { client, record, queries } = await serviceWith();
		await record.before();
		record.loadLater();
		expect(storedRecordLoader(client, sheet).isEnqueued('5')).toBe(true);
		await record.before();
		expect(queries()).toHaveLength(1);
		expect(storedRecordLoader(client, sheet)).toBeInstanceOf(RecordLoader);
	});
});

describe('the record after a write', () => {
	it('is read once for each write', async () => {
		const { record, queries } = await serviceWith();
		expect((await record.after())?.get('1')).toBe('read 1');
		expect((await record.after())?.get('1')).toBe('read 1');
		record.beginWrite();
		expect((await record.after())?.get('1')).toBe('read 2');
		expect(queries()).toHaveLength(2);
	});

	it('is unknown if it cannot be read', async () => {
		const { record, state } = await serviceWith();
		state.fails = true;
		expect(await record.after()).toBeUndefined();
	});
});

describe('the last change of a record', () => {
	const change = { _update_date: '2031/01/31 10:00:00', _update_user: 'Mia' };
	const last = { at: '2031/01/31 10:00:00', by: 'Mia' };

	it('is read at that moment', async () => {
		const { record, queries } = await serviceWith(change);
		await record.before();
		expect(await record.lastChange(8)).toEqual(last);
		expect(queries()).toHaveLength(2);
		expect(queries()[1]).toMatch(/&info=true.*&tz=8/);
	});

	it.each([
		{ title: 'the same time zone', offsetHours: 8, requests: 1 },
		{ title: 'another time zone', offsetHours: 7, requests: 2 },
	])('is taken from the record before the write in $title', async ({ offsetHours, requests }) => {
		const { record, queries } = await serviceWith(change, { offsetHours, withInformation: true });
		await record.before();
		expect(await record.lastChange(8)).toEqual(last);
		expect(queries()).toHaveLength(requests);
	});

	it('is read if nothing was read before', async () => {
		const needs = { offsetHours: 8, withInformation: true };
		const { record, queries } = await serviceWith(change, needs);
		expect(await record.lastChange(8)).toEqual(last);
		expect(queries()).toHaveLength(1);
	});

	it('is undefined if there is no record', async () => {
		const { record, state } = await serviceWith(change);
		state.isGone = true;
		expect(await record.lastChange(undefined)).toBeUndefined();
	});

	it('is an error if the record does not contain it', async () => {
		const { record } = await serviceWith();
		await expect(record.lastChange(undefined)).rejects.toThrow('does not say when record 5');
	});
});

it('a record exists if a read returns it', async () => {
	const { client, state } = await serviceWith();
	expect(await recordExists(client, address)).toBe(true);
	state.isGone = true;
	expect(await recordExists(client, address)).toBe(false);
	state.fails = true;
	await expect(recordExists(client, address)).rejects.toHaveProperty('kind', 'noAccess');
});
