import type { Call } from '../call';
import { ServiceError } from '../http/serviceError';
import type { ViewOptions } from './recordView';
import type { Field } from '../data/field';
import type { Switches } from '../switches';

export type Naming = 'EID' | 'FNAME';

/** Returns the keys of fields in an answer. A repeated name gets a number as its suffix. */
export function fieldKeys(
	fields: readonly Field[],
	naming: Naming,
	{ unnamedFields, untitledWord }: Switches,
): Map<string, string> {
	if (naming === 'EID') return new Map(fields.map(({ id }) => [id, id]));
	const keys = new Map<string, string>();
	const taken = new Set(fields.map(({ name }) => name));
	const seen = new Set<string>();
	for (const { id, name: ownName } of fields) {
		const name = ownName === '' && unnamedFields === 'untitled' ? untitledWord : ownName;
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

/** Parses the query parameters that change how records are returned (endpoints 1 and 2). */
export function readViewOptions(call: Call): ViewOptions {
	const { query } = call;
	const onlyFields = query.all('fetchDomainIds');
	return {
		naming: readNaming(call),
		subtables: query.first('subtables') !== '0',
		listing: query.flag('listing'),
		info: query.flag('info'),
		conversation: query.flag('conversation'),
		approval: query.flag('approval'),
		comment: query.flag('comment'),
		history: query.flag('history'),
		bbcode: query.flag('bbcode'),
		unmaskFor: query.flag('ignoreMask') ? call.identity.groups : [],
		timeZone: readTimeZone(call),
		onlyFields: onlyFields.length === 0 ? undefined : new Set(onlyFields),
	};
}

/** Options for the record in the answer to a write: always keyed by field ID. */
export function savedRecordOptions(call: Call): ViewOptions {
	return { ...contentOptions, info: call.query.flag('info'), timeZone: readTimeZone(call) };
}

/** Options for the record in a webhook delivery. */
export const contentOptions: ViewOptions = {
	naming: 'EID',
	subtables: true,
	listing: false,
	info: false,
	conversation: false,
	approval: false,
	comment: false,
	history: false,
	bbcode: false,
	unmaskFor: [],
	timeZone: 0,
	onlyFields: undefined,
};

/** Returns the requested `naming`. A cookie session keeps the last one. */
function readNaming({ query, session, byCookie, state }: Call): Naming {
	const asked = query.first('naming')?.toUpperCase();
	if (asked !== undefined && byCookie && session) session.naming = asked;
	const naming = asked ?? (byCookie ? session?.naming : undefined);
	return naming === 'EID' || naming === 'FNAME' ? naming : state.switches.defaultNaming;
}

/** Returns the hours by which `tz` shifts dates. Throws (code 201) if the value is invalid. */
export function readTimeZone({ query }: Call): number {
	const text = query.first('tz') ?? '0';
	const hours = Number(text);
	if (text === '' || !Number.isFinite(hours) || Math.abs(hours) > 14) {
		throw new ServiceError('parameters', `Invalid tz: ${text}`);
	}
	return hours;
}
