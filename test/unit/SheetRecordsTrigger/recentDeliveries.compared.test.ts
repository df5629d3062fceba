import type { IDataObject } from 'n8n-workflow';
import { clearProcessState } from '../../../nodes/api/http/processState';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import type { Delivery } from '../../../nodes/api/webhooks/delivery';
import type { ChangedRecord } from '../../../nodes/SheetRecordsTrigger/changedRecords';
import {
	forgetMemory,
	noComparison,
	RecentDeliveries,
	restartMemory,
	type Comparison,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';

const nodeKey = 'workflow/node';
const fieldId = '1000001';
const minute = 60_000;

let staticData: IDataObject = {};
beforeEach(() => {
	clearProcessState();
	staticData = {};
	restartMemory(nodeKey, staticData);
});

function deliveries(compared: Partial<Comparison> = {}): RecentDeliveries {
	return new RecentDeliveries(nodeKey, staticData, { ...noComparison, ...compared });
}

const record = (text: string, recordId = '1') => ({
	recordId,
	content: new Map([[fieldId, text]]),
});

/** Delivers records, and returns whether the delivery is a repeat. */
function isRepeat(
	delivery: Partial<Pick<Delivery, 'event' | 'records'>>,
	now = 0,
	compared: Partial<Comparison> = { repeats: true },
	isChosen = true,
): boolean {
	const whole = { event: 'UPDATE' as const, records: [record('a')], ...delivery };
	return atOnce(deliveries(compared).noteDelivery(whole, now, isChosen));
}

describe('repeats', () => {
	it.each([
		['the same content', {}, true],
		['another content', { records: [record('b')] }, false],
		['another event', { event: 'CREATE' as const }, false],
		['no event', { event: undefined }, false],
		['another record', { records: [record('a', '2')] }, false],
		['one record more', { records: [record('a'), record('a', '2')] }, false],
		['no record', { records: [] }, false],
		['a record without an ID', { records: [{ content: record('a').content }] }, false],
		['also a record without an ID', { records: [record('a'), { recordId: undefined }] }, false],
	])('after a delivery, %s is a repeat: %#', (_, delivery, expected) => {
		expect(isRepeat({})).toBe(false);
		expect(isRepeat(delivery)).toBe(expected);
	});

	it('a record without content is never a repeat', () => {
		for (let count = 0; count < 2; count++) {
			expect(isRepeat({ records: [{ recordId: '1' }] })).toBe(false);
		}
	});

	it.each([
		[0, true],
		[5 * minute - 1, true],
		[5 * minute, false],
		[-1, false],
	])('%d ms later it is a repeat: %s', (later, expected) => {
		expect(isRepeat({}, 10 * minute)).toBe(false);
		expect(isRepeat({}, 10 * minute + later)).toBe(expected);
	});

	it.each<[string, Partial<Comparison>, boolean]>([
		['without Skip Repeats', { content: true }, true],
		['of an event that starts no workflow', { repeats: true }, false],
	])('nothing is a repeat %s', (_, compared, isChosen) => {
		isRepeat({}, 0, compared, isChosen);
		expect(isRepeat({}, 0, compared, isChosen)).toBe(false);
	});

	it('the last record of a delivery counts if an ID comes twice', () => {
		isRepeat({ records: [record('a'), record('b')] });
		expect(isRepeat({ records: [record('a')] })).toBe(false);
		isRepeat({ records: [record('a'), record('b')] });
		expect(isRepeat({ records: [record('b')] })).toBe(true);
	});
});

/** Delivers a record, and returns whether its content is as before. */
function isUnchanged(changes: Partial<ChangedRecord>, compared: Partial<Comparison> = {}): boolean {
	const changed = { ...record('a'), event: 'UPDATE' as const, ...changes };
	const recent = deliveries({ content: true, ...compared });
	atOnce(recent.noteDelivery({ event: changed.event, records: [changed] }, 0));
	return recent.noteContent(changed);
}

describe('unchanged contents', () => {
	it('an update with the content before changes nothing', () => {
		expect([isUnchanged({}), isUnchanged({}), isUnchanged(record('b'))]).toEqual([
			false,
			true,
			false,
		]);
	});

	it.each<[string, Partial<ChangedRecord>]>([
		['a creation', { event: 'CREATE' }],
		['a deletion', { event: 'DELETE' }],
		['a deleted record', { deleted: true }],
		['an unreadable record', { unreadable: 'No right' }],
		['a record without content', { content: undefined }],
	])('%s is a change, whatever was delivered before', (_, change) => {
		isUnchanged({});
		expect(isUnchanged(change)).toBe(false);
		expect(isUnchanged(change)).toBe(false);
	});

	it.each<[string, Partial<ChangedRecord>, boolean]>([
		['a creation', { event: 'CREATE' }, true],
		['a deletion', { event: 'DELETE' }, false],
		['a deleted record', { deleted: true }, false],
		['an unreadable record', { unreadable: 'No right' }, false],
	])('after %s, an update with its content is unchanged: %#', (_, change, expected) => {
		isUnchanged(change);
		expect(isUnchanged({})).toBe(expected);
	});

	it('contents from before an activation without the setting do not count', () => {
		isUnchanged({});
		isRepeat({});
		expect(isUnchanged({})).toBe(false);
	});
});

/** Delivers a record, and returns its changed fields and their values before. */
function changesOf(changes: Partial<ChangedRecord>, watched: readonly string[] = [fieldId]) {
	const changed = { ...record('a'), event: 'UPDATE' as const, ...changes };
	const recent = deliveries({ watched });
	atOnce(recent.noteDelivery({ event: changed.event, records: [changed] }, 0));
	const found = recent.noteWatched(changed);
	return found && [found.changed, Object.fromEntries(found.previous)];
}

describe('watched fields', () => {
	it('an update names the changed fields and their values before', () => {
		expect(changesOf({})).toEqual([[fieldId], {}]);
		expect(changesOf(record('b'))).toEqual([[fieldId], { [fieldId]: 'a' }]);
		expect(changesOf(record('b'))).toEqual([[], {}]);
	});

	it.each<[string, Partial<ChangedRecord>]>([
		['a creation', { event: 'CREATE' }],
		['a deletion', { event: 'DELETE' }],
		['a record without content', { content: undefined }],
	])('%s names no changes', (_, change) => {
		expect(changesOf(change)).toBeUndefined();
	});

	it('without watched fields, an update names no changes', () => {
		expect(changesOf({}, [])).toBeUndefined();
	});

	it('the values before a creation count, those before a deletion do not', () => {
		changesOf({ event: 'CREATE' });
		expect(changesOf(record('b'))).toEqual([[fieldId], { [fieldId]: 'a' }]);
		changesOf({ event: 'DELETE' });
		expect(changesOf(record('c'))).toEqual([[fieldId], {}]);
	});

	it('the values before a record that could not be read do not count: they may have changed and changed back', () => {
		changesOf({});
		changesOf({ content: undefined, unreadable: 'No right' });
		expect(changesOf({})).toEqual([[fieldId], {}]);
	});

	it('values from before the fields were watched no more do not count', () => {
		changesOf({});
		isRepeat({});
		expect(changesOf(record('b'))).toEqual([[fieldId], {}]);
	});
});

describe('several processes', () => {
	const marked = () => ({ storedBy: 'several processes' });

	it.each<[string, Partial<Comparison>, boolean]>([
		['Skip Unchanged', { content: true }, true],
		['watched fields', { watched: [fieldId] }, true],
		['Skip Repeats', { repeats: true }, false],
	])('a node with %s warns once: %#', (_, compared, warns) => {
		staticData = marked();
		const warning = deliveries(compared).nextWarning();
		expect(warning === undefined).toBe(!warns);
		expect(deliveries(compared).nextWarning()).toBeUndefined();
	});

	it('the mark stays in the static data, and nothing is stored without Skip Repeats', () => {
		staticData = marked();
		isUnchanged({});
		deliveries({ content: true }).store();
		expect(staticData).toEqual(marked());
	});

	it('an activation takes over no content, because another process may have received a later one', () => {
		isUnchanged({});
		deliveries({ content: true, repeats: true }).store();
		Object.assign(staticData, marked());
		clearProcessState();
		restartMemory(nodeKey, staticData);
		expect(isUnchanged({})).toBe(false);
	});

	it('an activation makes the process know all deliveries again', () => {
		staticData = marked();
		expect(isUnchanged({})).toBe(false);
		expect(isUnchanged({})).toBe(false);
		restartMemory(nodeKey, staticData);
		isUnchanged({});
		expect(isUnchanged({})).toBe(true);
	});
});

it('a node that compares nothing forgets all', () => {
	isUnchanged({});
	deliveries({ content: true }).store();
	forgetMemory(nodeKey, staticData);
	expect(staticData).toEqual({});
	restartMemory(nodeKey, staticData);
	expect(isUnchanged({})).toBe(false);
});

it('without a key of the node, nothing is remembered, stored or a repeat', () => {
	const once = () => {
		const recent = new RecentDeliveries(undefined, {}, { ...noComparison, repeats: true });
		const isSame = atOnce(recent.noteDelivery({ event: 'UPDATE', records: [record('a')] }, 0));
		recent.store();
		return isSame;
	};
	expect([once(), once()]).toEqual([false, false]);
});
