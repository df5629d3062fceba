import type { SheetRecord } from '../../../nodes/api/read/record';
import {
	changeOf,
	compareNewest,
	cursorAfter,
	isEmittedState,
	type Cursor,
} from '../../../nodes/SheetRecordsPollingTrigger/cursor';

const time = '2026/03/01 10:00:00';
const now = 1_700_000_000_000;

/** A record with these fields that was created and changed at the given times. */
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
	])('a record at the time of its emitted state is no change with $what', ({ fields }) => {
		expect(changeOf(cursorOn(emitted), recordOf(fields))).toBeUndefined();
		expect(isEmittedState(cursorOn(emitted), recordOf(fields))).toBe(true);
	});
});

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
