import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Maximum length of the items in a tool's answer, in characters of JSON. More would fill the context of the model. */
const maxAnswerCharacters = 40_000;
/** Maximum length of a field if there are several items, in characters of JSON. */
const maxFieldCharacters = 4_000;

/**
 * Maximum number of matching records that an answer reports. A greater number is reported as `more than 10000`, because counting
 * all of them would take too many requests.
 */
export const maxReportedMatches = 10_000;

/**
 * Returns as many items as fit into the answer of a tool. If items or fields were omitted, an additional last item has the number
 * of these items and the names of these fields. With `matchCount`, there always is such a last item. It then also has the number
 * of records that match and the number of records in the answer. Long texts are left out instead of truncated, because a model
 * might write a truncated text back.
 *
 * @param matchCount number of records that match; NaN if it is unknown, undefined if the items are not those of a list
 */
export function boundedAnswer(
	items: readonly INodeExecutionData[],
	matchCount?: number,
): INodeExecutionData[] {
	const { answer, longFields } = fittingItems(items);
	const note = {
		...matchNote(matchCount, answer.length),
		...omissionNote(items.length, answer.length, longFields),
	};
	return Object.keys(note).length > 0 ? [...answer, { json: note }] : answer;
}

/** Returns the first items that fit into an answer, without fields that are too long, and the names of those fields. */
function fittingItems(items: readonly INodeExecutionData[]) {
	const answer: INodeExecutionData[] = [];
	const longFields = new Set<string>();
	let room = maxAnswerCharacters;
	const maxLength = items.length > 1 ? maxFieldCharacters : maxAnswerCharacters;
	for (const item of items) {
		const json: IDataObject = {};
		let size = 2;
		for (const [name, value] of Object.entries(item.json)) {
			const { length } = JSON.stringify({ [name]: value });
			if (length > maxLength || size + length > maxAnswerCharacters) {
				longFields.add(name);
				continue;
			}
			json[name] = value;
			size += length;
		}
		room -= size;
		if (room < 0) break;
		answer.push({ ...item, json });
	}
	return { answer, longFields };
}

/** Returns the members that report how many records match; none if the items are not those of a list. */
function matchNote(matchCount: number | undefined, includedCount: number): IDataObject {
	if (matchCount === undefined) return {};
	const isCounted = matchCount <= maxReportedMatches;
	const inWords = Number.isNaN(matchCount) ? 'unknown' : `more than ${maxReportedMatches}`;
	return { _matched: isCounted ? matchCount : inWords, _shown: includedCount };
}

/** Returns the member with the number of omitted items and the names of omitted fields; none if the answer is complete. */
function omissionNote(
	total: number,
	includedCount: number,
	longFields: ReadonlySet<string>,
): IDataObject {
	const rest = total - includedCount;
	const sentences = [
		rest > 0 &&
			`The answer was too long, so the last ${rest} of ${total} items were left out. Narrow the filters, request fewer fields with Only Fields, or use a lower limit.`,
		longFields.size > 0 &&
			`Long fields were left out of items: ${[...longFields].join(', ')}. To read them, get the record alone.`,
	].filter((sentence) => sentence !== false);
	return sentences.length > 0 ? { _leftOut: sentences.join(' ') } : {};
}
