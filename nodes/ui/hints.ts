import type { UntypedField, UntypedReason } from '../api/write/typedValues';
import type { LeftOut, LeftOutReason } from '../api/write/writeBack';

const leftOutWords: Record<LeftOutReason, string> = {
	filledIn: 'filled in by the service',
	file: 'files',
	masked: 'masked',
	html: "rich text as HTML; read it with 'Raw Markup' to write it back",
	shifted: "times read with 'Time Zone'; read them without it to write them back",
	unknown: 'not a field of the sheet',
};

const untypedWords: Record<UntypedReason, (names: string) => string> = {
	unknown: (names) =>
		`The types of ${names} are not known, so their values come as the service sent them. The service tells types to administrators only: name fields with numbers in 'Number Fields', and multiple selections in 'List Fields'.`,
	unfit: (names) =>
		`Values of ${names} stay texts: they are no plain numbers (or no Yes and No), or have more digits than a number holds.`,
};

/** Returns one sentence that names all that was left out, by reason; undefined when nothing was. */
export function leftOutSentence(leftOut: readonly LeftOut[]): string | undefined {
	const parts = [...namesByReason(leftOut)].map(
		([reason, names]) => `${names} (${leftOutWords[reason]})`,
	);
	return parts.length > 0 ? `Left out of what was written: ${parts.join(', ')}.` : undefined;
}

/** Returns one text that names all fields of which values came as the service sent them; undefined when there is none. */
export function untypedSentences(fields: readonly UntypedField[]): string | undefined {
	const names = namesByReason(fields);
	const sentences = (['unknown', 'unfit'] as const).flatMap((reason) => {
		const named = names.get(reason);
		return named === undefined ? [] : [untypedWords[reason](named)];
	});
	return sentences.join(' ') || undefined;
}

/** Returns the different names for each reason, in quotation marks. */
function namesByReason<Reason>(
	all: ReadonlyArray<{ name: string; reason: Reason }>,
): Map<Reason, string> {
	const reasons = new Set(all.map(({ reason }) => reason));
	return new Map(
		[...reasons].map((reason) => {
			const names = all.filter((one) => one.reason === reason).map(({ name }) => `'${name}'`);
			return [reason, [...new Set(names)].join(', ')];
		}),
	);
}
