import type { ReferenceService } from '../../service';

/** State of the service in small parts: name → text. */
export type State = ReadonlyMap<string, string>;

/** Record properties that every write changes. */
const bookkeeping = new Set(['updated', 'writtenAt', 'history', 'held', 'isShared', 'created']);

export function stateOf({ data }: ReferenceService): State {
	const state = new Map<string, string>();
	state.set('files', JSON.stringify([...data.files.keys()]));
	for (const { path, index, records } of data.sheets) {
		for (const [id, record] of records) {
			const name = `${path}/${index}/${id}`;
			for (const [fieldId, value] of record.content.values) {
				state.set(`${name} ${fieldId}`, JSON.stringify(value));
			}
			for (const [subtableId, rows] of record.content.subtables) {
				for (const [rowId, row] of rows) {
					state.set(`${name} ${subtableId} ${rowId}`, JSON.stringify([...row]));
				}
			}
			for (const [member, value] of Object.entries(record)) {
				if (!bookkeeping.has(member)) state.set(`${name} ${member}`, JSON.stringify(value));
			}
		}
	}
	return state;
}

/** Returns the changed parts: name → new text, or undefined if the part was removed. */
export function changesSince(before: State, now: State): Map<string, string | undefined> {
	const changes = new Map<string, string | undefined>();
	for (const name of new Set([...before.keys(), ...now.keys()])) {
		if (before.get(name) !== now.get(name)) changes.set(name, now.get(name));
	}
	return changes;
}
