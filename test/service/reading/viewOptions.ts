import type { Call } from '../call';
import { ServiceError } from '../http/serviceError';
import type { ViewOptions } from './recordView';
import type { Field } from '../data/field';
import type { Switches } from '../switches';

export type Naming = 'EID' | 'FNAME';

/** The keys of fields in an answer: a name that comes again gets a number behind it. */
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

/** The query parameters that decide how records are shown (endpoints 1 and 2). */
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

/** The view of a record in the answer to a write: by field id, whatever else is asked for. */
export function savedRecordOptions(call: Call): ViewOptions {
	return { ...contentOptions, info: call.query.flag('info'), timeZone: readTimeZone(call) };
}

/** The view of a record where nobody has asked for anything: in a webhook. */
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

/** In a session by cookie the last `naming` asked for stays. */
function readNaming({ query, session, byCookie, state }: Call): Naming {
	const asked = query.first('naming')?.toUpperCase();
	if (asked !== undefined && byCookie && session) session.naming = asked;
	const naming = asked ?? (byCookie ? session?.naming : undefined);
	return naming === 'EID' || naming === 'FNAME' ? naming : state.switches.defaultNaming;
}

/** The hours that `tz` shifts dates by; what is no such number is refused (code 201). */
export function readTimeZone({ query }: Call): number {
	const text = query.first('tz') ?? '0';
	const hours = Number(text);
	if (text === '' || !Number.isFinite(hours) || Math.abs(hours) > 14) {
		throw new ServiceError('parameters', `Invalid tz: ${text}`);
	}
	return hours;
}
