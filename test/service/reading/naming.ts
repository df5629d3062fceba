import type { Field } from '../data/field';

export type Naming = 'EID' | 'FNAME';

/**
 * The keys that fields get in an answer. By name, an unnamed field gets a number for a name, and
 * every further field of the same name gets the name with a number behind it.
 */
export function fieldKeys(fields: readonly Field[], naming: Naming): Map<string, string> {
	if (naming === 'EID') return new Map(fields.map(({ id }) => [id, id]));
	const keys = new Map<string, string>();
	const taken = new Set(fields.map(({ name }) => name));
	const seen = new Set<string>();
	for (const { id, name } of fields) {
		let key = name;
		for (let number = name === '' ? 1 : 2; key === '' || seen.has(key); number += 1) {
			const numbered = `${name}${number}`;
			key = taken.has(numbered) ? '' : numbered;
		}
		seen.add(key);
		keys.set(id, key);
	}
	return keys;
}
