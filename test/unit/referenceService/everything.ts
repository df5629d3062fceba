import type { ReferenceService } from '../../service';

/** Everything that a service holds: a text for each record, and one for all that is around them. */
export function everythingOf({ data }: ReferenceService): string[] {
	return [...recordsOf({ data }), JSON.stringify(data, plainMember)];
}

/** A text for each record. */
export function recordsOf({ data }: Pick<ReferenceService, 'data'>): string[] {
	const records = data.sheets.flatMap((sheet) => [...sheet.records.values()]);
	return records.map((record) => JSON.stringify(record, plainMember));
}

/** Maps as their entries; what a sheet is copied from, and its records, are not its own text. */
function plainMember(key: string, member: unknown): unknown {
	if (key === 'original' || key === 'content' || key === 'isShared') return undefined;
	return member instanceof Map ? [...member] : member;
}
