import type { SheetRecord } from '../../../nodes/api/read/record';
import {
	changeOf,
	compareNewest,
	currentPass,
	cursorAfter,
	endPass,
	endSetBack,
	forgetValues,
	hadRecordsAtStart,
	isEmittedState,
	isSameState,
	moveTimeZone,
	noteEmitted,
	noteTimes,
	type Cursor,
} from '../../../nodes/SheetRecordsPollingTrigger/cursor';
import { timeAfter } from '../../../nodes/SheetRecordsPollingTrigger/updateTimes';

const time = '2026/03/01 10:00:00';
const now = 1_700_000_000_000;

/** Returns a record with these fields, created and changed at these times. */
function recordOf(
	fields: Record<string, string | undefined>,
	changed = time,
	id = '7',
): SheetRecord {
	const times = { _create_date: '2026/01/01 10:00:00', _update_date: changed };
	const members = Object.entries({ ...fields, ...times });
	return { id, content: new Map(members.map(([key, value]) => [key, value ?? ''])) };
}

const emitted = recordOf({ Open: 'Yes', Closed: 'No', Remark: '' });
const cursorOn = (...records: SheetRecord[]): Cursor => cursorAfter(records, now);

describe('a record at the time of its emitted state', () => {
	it.each([
		{ what: 'two values that changed places', fields: { Open: 'No', Closed: 'Yes', Remark: '' } },
		{ what: 'a value that moved', fields: { Open: 'Yes', Closed: '', Remark: 'No' } },
		{ what: 'another value', fields: { Open: 'Yes', Closed: 'No', Remark: 'late' } },
		{ what: 'another value in a renamed field', fields: { Open: 'Yes', Shut: 'late', Remark: '' } },
		{ what: 'a value less', fields: { Open: 'Yes', Closed: '', Remark: '' } },
	])('a record at the time of its emitted state is an update with $what', ({ fields }) => {
		expect(changeOf(cursorOn(emitted), recordOf(fields))).toMatchObject({ event: 'UPDATE' });
		expect(isEmittedState(cursorOn(emitted), recordOf(fields))).toBe(false);
	});

	it.each([
		{ what: 'the same values', fields: { Open: 'Yes', Closed: 'No', Remark: '' } },
		{ what: 'fields in another order', fields: { Remark: '', Closed: 'No', Open: 'Yes' } },
		{ what: 'a renamed field', fields: { Started: 'Yes', Closed: 'No', Remark: '' } },
		{ what: 'a new empty field', fields: { Open: 'Yes', Closed: 'No', Remark: '', New: '' } },
		{ what: 'an empty field less', fields: { Open: 'Yes', Closed: 'No' } },
	])('a record at the time of its emitted state is not a change with $what', ({ fields }) => {
		expect(changeOf(cursorOn(emitted), recordOf(fields))).toBeUndefined();
		expect(isEmittedState(cursorOn(emitted), recordOf(fields))).toBe(true);
	});
});

it.each([8, -5, 5.75])(
	'a cursor that moves with the time zone by %d hours is the cursor of a node that always had this time zone',
	(hours) => {
		const inZone = (offset: number) => {
			const at = (text: string) => timeAfter(text, offset * 3_600);
			const records = ['10:00:07', '09:30:00', '09:10:00'].map((clock, id) => {
				const record = recordOf({ Remark: clock }, at(`2026/03/01 ${clock}`), `${id}`);
				record.content.set('_create_date', at('2026/01/01 10:00:00'));
				return record;
			});
			const cursor: Cursor = {
				...cursorOn(...records),
				completeSince: at('2026/03/01 09:00:00'),
				setBackFrom: at('2026/03/01 11:00:00'),
			};
			return { cursor, records };
		};
		const { cursor } = inZone(0);
		// The last record was not read again.
		expect(moveTimeZone(cursor, inZone(hours).records.slice(0, 2))).toBe(true);
		expect(cursor).toEqual(inZone(hours).cursor);
	},
);

it('a renamed field does not set the cursor back for a state that was found late before', () => {
	const late = recordOf({ Remark: 'late' }, '2026/03/01 09:00:00', '8');
	const renamed = recordOf({ Note: 'late' }, '2026/03/01 09:00:00', '8');
	const cursor = cursorOn(emitted);
	for (const record of [late, late]) {
		compareNewest(cursor, [emitted, record], now);
		expect(cursor.readFrom).toBe('2026/03/01 09:00:00');
		cursor.readFrom = time;
	}
	compareNewest(cursor, [emitted, renamed], now);
	expect(cursor.readFrom).toBe(time);
});

const earlier = '2026/03/01 09:00:00';
const earliest = '2026/03/01 08:00:00';
const later = '2026/03/01 11:00:00';
const valued = (value: string, changed: string, id: string) =>
	recordOf({ Remark: value }, changed, id);
const idsIn = ({ emitted: states }: Cursor) => [...states.keys()];

describe('a cursor after the most recently changed records', () => {
	it('contains all of them in the order of their changes, and reads from the latest', () => {
		const records = [valued('c', later, '3'), valued('b', time, '2'), valued('a', earlier, '1')];
		const cursor = cursorAfter(records, now);
		expect(cursor).toMatchObject({
			...{ readFrom: later, latestTime: later, latestTimeReadAt: now, comparedAt: now },
			...{ completeSince: '', lateStates: [] },
		});
		expect(idsIn(cursor)).toEqual(['1', '2', '3']);
		expect(cursor.emitted.get('2')).toEqual({
			time,
			created: '2026/01/01 10:00:00',
			values: expect.stringMatching(/^.{12}$/),
			fields: expect.stringMatching(/^.{6}$/),
		});
		expect(cursor).not.toHaveProperty('startedEmptyAt');
	});

	it('stores the start time if the sheet has no records', () => {
		const cursor = cursorAfter([], now);
		expect(cursor).toMatchObject({ readFrom: '', latestTime: '', startedEmptyAt: now });
		expect(cursor.emitted.size).toBe(0);
	});

	it.each([
		{ title: 'as many as were asked for', count: 2, times: [later, time], since: time },
		{ title: 'fewer than were asked for', count: 3, times: [later, time], since: '' },
		{ title: 'as many, all of one time', count: 2, times: [time, time], since: '' },
	])('is complete since "$since" if there are $title', ({ count, times, since }) => {
		const records = times.map((changed, index) => valued('a', changed, `${index}`));
		expect(cursorAfter(records, now, count).completeSince).toBe(since);
	});

	it('takes 500 records unless another number is given', () => {
		const records = Array.from({ length: 500 }, (_, index) =>
			valued('a', index === 0 ? later : time, `${index}`),
		);
		expect(cursorAfter(records, now).completeSince).toBe(time);
		expect(cursorAfter(records.slice(1), now).completeSince).toBe('');
	});
});

describe('a record in the list of changes', () => {
	const cursor = () => ({ ...cursorOn(valued('a', time, '1')), completeSince: earlier });
	const created = (at: string | undefined, changed: string, id: string) => {
		const record = valued('a', changed, id);
		const content = new Map(record.content);
		content.delete('_create_date');
		return { id, content: at === undefined ? content : content.set('_create_date', at) };
	};

	it.each([
		{ title: 'of a known record before the cursor', record: valued('b', earlier, '1') },
		{ title: 'of the emitted state', record: valued('a', time, '1') },
	])('is not a change: $title', ({ record }) => {
		expect(changeOf(cursor(), record)).toBeUndefined();
	});

	it.each([
		{ title: 'new', record: created(time, time, '2'), event: 'CREATE' },
		{ title: 'created earlier', record: created(earlier, time, '2'), event: 'UPDATE' },
		{ title: 'without Create Date', record: created(undefined, time, '2'), event: 'UPDATE' },
		{ title: 'known, later', record: created(time, later, '1'), event: 'UPDATE' },
		{
			title: 'created after the last change of the known record',
			record: created('2026/03/01 10:00:01', later, '1'),
			event: 'CREATE',
		},
	])('is $event: $title', ({ record, event }) => {
		expect(changeOf(cursor(), record)).toEqual({ record, event });
	});

	it('is UPDATE if a time zone moved its Create Date after its last change', () => {
		const known = cursorOn(created('2026/03/01 09:58:00', time, '1'));
		const record = created('2026/03/01 17:58:00', '2026/03/01 19:12:07', '1');
		expect(changeOf(known, record)).toEqual({ record, event: 'UPDATE' });
	});

	it.each([
		{ title: 'at the time since which all are known', changed: earlier, isChange: false },
		{ title: 'after it', changed: time, isChange: true },
	])('without a known state is a change: $title: $isChange', ({ changed, isChange }) => {
		const set = { ...cursor(), readFrom: '' };
		expect(changeOf(set, valued('a', changed, '2')) !== undefined).toBe(isChange);
	});

	it('with an earlier time and the same values is not a change, because the time zone may have changed', () => {
		const set = { ...cursor(), readFrom: '' };
		expect(changeOf(set, valued('a', earlier, '1'))).toBeUndefined();
		expect(changeOf(set, valued('b', earlier, '1'))).toMatchObject({ event: 'UPDATE' });
	});

	it('without Last Update Date is an error with advice', () => {
		const record = { id: '9', content: new Map([['Remark', 'a']]) };
		expect(() => changeOf(cursor(), record)).toThrow(
			'The service does not tell when record 9 was last changed',
		);
	});
});

it('a record is in its emitted state with the same time and values only', () => {
	const cursor = cursorOn(valued('a', time, '1'));
	expect(isEmittedState(cursor, valued('a', time, '1'))).toBe(true);
	expect(isEmittedState(cursor, valued('a', later, '1'))).toBe(false);
	expect(isEmittedState(cursor, valued('a', time, '2'))).toBe(false);
});

it.each([
	{ title: 'equal', other: valued('a', time, '1'), isSame: true },
	{ title: 'another ID', other: valued('a', time, '2'), isSame: false },
	{ title: 'another time', other: valued('a', later, '1'), isSame: false },
	{ title: 'another value', other: valued('b', time, '1'), isSame: false },
])('two reads return the same state: $title: $isSame', ({ other, isSame }) => {
	expect(isSameState(valued('a', time, '1'), other)).toBe(isSame);
});

it('a state that is stored again becomes the last one', () => {
	const cursor = cursorOn(valued('b', time, '2'), valued('a', time, '1'));
	noteEmitted(cursor, valued('c', later, '1'));
	expect(idsIn(cursor)).toEqual(['2', '1']);
	expect(cursor.emitted.get('1')?.time).toBe(later);
});

it('after the values are dropped, any values with the same time count as the emitted state', () => {
	const cursor = cursorOn(valued('a', time, '1'));
	forgetValues(cursor);
	expect(isEmittedState(cursor, valued('b', time, '1'))).toBe(true);
});

it.each([
	{ title: 'later', changed: later, latestTime: later, readAt: now + 1 },
	{ title: 'equal', changed: time, latestTime: time, readAt: now },
	{ title: 'earlier', changed: earlier, latestTime: time, readAt: now },
])('the latest time of the service is stored with its time of reading: $title', (row) => {
	const cursor = cursorOn(valued('a', time, '1'));
	const record = valued('a', row.changed, '2');
	noteTimes(cursor, [{ record, event: 'UPDATE' }], now + 1);
	expect(cursor).toMatchObject({ latestTime: row.latestTime, latestTimeReadAt: row.readAt });
});

describe('a pass', () => {
	it('continues in later polls', () => {
		const cursor = cursorOn(valued('a', time, '1'));
		const pass = currentPass(cursor, now + 5);
		expect(pass).toEqual({ startedAt: now + 5 });
		expect(currentPass(cursor, now + 9)).toBe(pass);
		expect(currentPass(cursor, now + 5)).toBe(pass);
		expect(cursor.latestTimeReadAt).toBe(now);
	});

	it('starts again after the clock of this machine was set back', () => {
		const cursor = cursorOn(valued('a', time, '1'));
		currentPass(cursor, now + 5);
		expect(currentPass(cursor, now - 5)).toEqual({ startedAt: now - 5 });
		expect(cursor.latestTimeReadAt).toBe(now - 5);
	});

	it('starts again after the clock was set back to a time before its last part', () => {
		const cursor = cursorOn(valued('a', time, '1'));
		currentPass(cursor, now);
		noteTimes(cursor, [{ record: valued('b', later, '2'), event: 'CREATE' }], now + 600_000);
		expect(currentPass(cursor, now + 599_000)).toEqual({ startedAt: now + 599_000 });
		expect(cursor.latestTimeReadAt).toBe(now + 599_000);
	});

	it.each([
		{ title: 'within the lag', seconds: 299, readFrom: '2026/03/01 09:59:00' },
		{ title: 'after the lag', seconds: 300, readFrom: '2026/03/01 10:00:00' },
		{ title: 'a minute after the lag', seconds: 360, readFrom: '2026/03/01 10:01:00' },
		{ title: 'long after the lag', seconds: 3_600, readFrom: '2026/03/01 10:01:00' },
	])(
		'that ends moves the cursor to the end of the settled changes: $title',
		({ seconds, readFrom }) => {
			const cursor = { ...cursorOn(valued('a', time, '1')), readFrom: '2026/03/01 09:58:00' };
			currentPass(cursor, now + seconds * 1_000);
			endPass(cursor);
			expect(cursor.readFrom).toBe(readFrom);
			expect(cursor).not.toHaveProperty('pass');
		},
	);

	it('that ends never moves the cursor back', () => {
		const cursor = { ...cursorOn(valued('a', time, '1')), readFrom: later };
		currentPass(cursor, now);
		endPass(cursor);
		expect(cursor.readFrom).toBe(later);
	});

	it('that ends on a sheet without records leaves the cursor at its start', () => {
		const cursor = cursorOn();
		currentPass(cursor, now + 3_600_000);
		endPass(cursor);
		expect(cursor.readFrom).toBe('');
	});

	it('that has not begun does not end', () => {
		const cursor = { ...cursorOn(valued('a', earlier, '1')), readFrom: time };
		endPass(cursor, 0);
		expect(idsIn(cursor)).toEqual(['1']);
	});

	it('that ends drops settled states, but keeps as many as are compared', () => {
		const states = [
			['4', later],
			['3', time],
			['2', earlier],
			['1', earliest],
		] as const;
		const cursor = cursorOn(...states.map(([id, changed]) => valued('a', changed, id)));
		cursor.readFrom = time;
		cursor.latestTime = time;
		currentPass(cursor, now);
		endPass(cursor, 3);
		expect(idsIn(cursor)).toEqual(['2', '3', '4']);
		expect(cursor.completeSince).toBe(earliest);
		currentPass(cursor, now);
		endPass(cursor, 1);
		expect(idsIn(cursor)).toEqual(['3', '4']);
		expect(cursor.completeSince).toBe(earlier);
	});

	it('that ends keeps the states of 500 records', () => {
		const records = Array.from({ length: 502 }, (_, index) => valued('a', earlier, `${index}`));
		const cursor = { ...cursorOn(...records), readFrom: time, latestTime: time };
		currentPass(cursor, now);
		endPass(cursor);
		expect(cursor.emitted.size).toBe(500);
	});
});

describe('a comparison with the most recently changed records', () => {
	const known = () => cursorOn(valued('b', time, '2'), valued('a', earlier, '1'));

	it('stores the records that it read, and leaves the cursor unchanged if no change was missed', () => {
		const cursor = known();
		compareNewest(cursor, [valued('b', time, '2'), valued('z', earlier, '1')], now + 1);
		expect(cursor).toMatchObject({ readFrom: time, comparedAt: now + 1, lateStates: [] });
		expect(cursor).not.toHaveProperty('setBackFrom');
		expect(isEmittedState(cursor, valued('z', earlier, '1'))).toBe(true);
		expect(idsIn(cursor)).toEqual(['2', '1']);
	});

	it('stores the states from the earliest to the latest', () => {
		const cursor = known();
		noteEmitted(cursor, valued('c', earliest, '3'));
		const earlierOnes = [valued('a', earlier, '1'), valued('c', earliest, '3')];
		compareNewest(cursor, [valued('b', time, '2'), ...earlierOnes], now);
		expect(idsIn(cursor)).toEqual(['2', '3', '1']);
	});

	it.each([
		{ title: 'an unknown record', late: valued('c', earlier, '3') },
		{ title: 'a known record at a later time', late: valued('a', '2026/03/01 09:30:00', '1') },
		{ title: 'other values at an earlier time', late: valued('z', earliest, '1') },
	])('sets the cursor back to $title', ({ late }) => {
		const cursor = known();
		const changed = String(late.content.get('_update_date'));
		compareNewest(cursor, [valued('b', time, '2'), late], now + 1);
		expect(cursor).toMatchObject({
			...{ readFrom: changed, setBackFrom: time, latestTime: changed, latestTimeReadAt: now + 1 },
		});
		expect(isEmittedState(cursor, late)).toBe(false);
		expect(cursor.lateStates).toEqual([expect.stringContaining(`${late.id} ${changed}`)]);
	});

	it.each([
		{ title: 'the same values at an earlier time', record: valued('a', earliest, '1') },
		{ title: 'an unknown record before all known ones', record: valued('c', earliest, '3') },
	])('does not set the cursor back to $title', ({ record }) => {
		const cursor = { ...known(), completeSince: earliest };
		compareNewest(cursor, [valued('b', time, '2'), record], now);
		expect(cursor.readFrom).toBe(time);
	});

	it('sets the cursor back to the earliest of several, and its clock to the latest of them', () => {
		const cursor = known();
		const late = [valued('d', '2026/03/01 09:30:00', '4'), valued('c', earliest, '3')];
		compareNewest(cursor, [valued('b', time, '2'), ...late], now);
		expect(cursor).toMatchObject({ readFrom: earliest, latestTime: '2026/03/01 09:30:00' });
		expect(cursor.lateStates).toHaveLength(2);
	});

	it('that sets back twice remembers the later place', () => {
		const cursor = known();
		compareNewest(cursor, [valued('c', earlier, '3')], now);
		compareNewest(cursor, [valued('d', earliest, '4')], now);
		expect(cursor).toMatchObject({ readFrom: earliest, setBackFrom: time });
	});

	it('keeps as many late states as records are compared, the latest of them', () => {
		const cursor = { ...known(), lateStates: ['a', 'b'] };
		compareNewest(cursor, [valued('c', earlier, '3')], now, 2);
		expect(cursor.lateStates).toEqual(['b', expect.stringContaining(`3 ${earlier}`)]);
	});

	it.each([
		{ title: 'as many as are compared', count: 2, since: earlier },
		{ title: 'fewer than are compared', count: 3, since: '' },
		{ title: 'more than are compared', count: 1, since: '' },
	])('knows the time since which the states are complete: $title', ({ count, since }) => {
		const cursor = known();
		compareNewest(cursor, [valued('b', time, '2'), valued('a', earlier, '1')], now, count);
		expect(cursor.completeSince).toBe(since);
	});

	it('compares 500 records', () => {
		const cursor = known();
		const records = Array.from({ length: 500 }, (_, index) => valued('a', earlier, `x${index}`));
		compareNewest(cursor, records, now);
		expect(cursor.completeSince).toBe(earlier);
	});
});

it.each([
	{ title: 'is found', changed: earlier, readFrom: earlier, isFound: true, isOver: true },
	{ title: 'is not found yet', changed: time, readFrom: earlier, isFound: false, isOver: false },
	{ title: 'is not found at all', changed: later, readFrom: time, isFound: false, isOver: true },
])('a set-back whose change $title ends: $isOver', ({ changed, readFrom, isFound, isOver }) => {
	const cursor = { ...cursorOn(), readFrom, setBackFrom: time };
	const change = { record: valued('a', changed, '1'), event: 'UPDATE' as const };
	expect(endSetBack(cursor, [change])).toBe(isFound);
	expect('setBackFrom' in cursor).toBe(!isOver);
});

it('one of several changes is enough to end a set-back', () => {
	const cursor = { ...cursorOn(), readFrom: earliest, setBackFrom: time };
	const changes = [earlier, later].map((changed, index) => {
		return { record: valued('a', changed, `${index}`), event: 'UPDATE' as const };
	});
	expect(endSetBack(cursor, changes)).toBe(true);
});

it('changes end a set-back only if there is one', () => {
	const cursor = cursorOn();
	expect(endSetBack(cursor, [{ record: valued('a', '', '1'), event: 'UPDATE' }])).toBe(false);
});

describe('records on a sheet that was empty at the start', () => {
	const cursor = cursorOn();
	const at = (created: string | undefined, changed = time): SheetRecord => {
		const content = new Map([['_update_date', changed]]);
		return { id: '1', content: created ? content.set('_create_date', created) : content };
	};

	it.each([
		{ title: 'created before it', records: [at('2026/03/01 09:49:59')], seconds: 600, isSo: true },
		{ title: 'created after it', records: [at('2026/03/01 09:50:00')], seconds: 600, isSo: false },
		{ title: 'in part', records: [at(time), at(earlier)], seconds: 600, isSo: true },
		{ title: 'without Create Date', records: [at(undefined)], seconds: 600, isSo: false },
		{
			title: 'created before it, now',
			records: [at('2026/03/01 09:59:59')],
			seconds: 0,
			isSo: true,
		},
		{ title: 'after the clock was set back', records: [at(earlier)], seconds: -1, isSo: false },
	])('existed before the start: $title: $isSo', ({ records, seconds, isSo }) => {
		expect(hadRecordsAtStart(cursor, records, now + seconds * 1_000)).toBe(isSo);
	});

	it('are not checked if the sheet had records at the start', () => {
		const started = cursorOn(valued('a', time, '1'));
		expect(hadRecordsAtStart(started, [at(earlier)], now)).toBe(false);
	});
});
