import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Maximum length of the answer for a model, in characters of JSON. A longer answer leaves the model no room to think. */
const maxAnswerCharacters = 40_000;
/** Maximum length of a field of one item among several. */
const maxFieldCharacters = 4_000;

/** Returns as many items as a model can read, and an item that says what was left out. No text is cut, because a model might write it back. */
export function boundedAnswer(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const answer: INodeExecutionData[] = [];
	const longFields = new Set<string>();
	let room = maxAnswerCharacters;
	const longest = items.length > 1 ? maxFieldCharacters : maxAnswerCharacters;
	for (const item of items) {
		const json: IDataObject = {};
		let size = 2;
		for (const [name, value] of Object.entries(item.json)) {
			const { length } = JSON.stringify({ [name]: value });
			const fits = length <= longest && size + length <= maxAnswerCharacters;
			if (fits) json[name] = value;
			else longFields.add(name);
			size += fits ? length : 0;
		}
		room -= size;
		if (room < 0) break;
		answer.push({ ...item, json });
	}
	const rest = items.length - answer.length;
	const sentences = [
		rest > 0 &&
			`The answer was too long, so the last ${rest} of ${items.length} items were left out. Narrow the filters, request fewer fields with Only Fields, or use a lower limit.`,
		longFields.size > 0 &&
			`Long fields were left out of items: ${[...longFields].join(', ')}. To read them, get the record alone.`,
	].filter((sentence) => sentence !== false);
	if (sentences.length > 0) answer.push({ json: { _leftOut: sentences.join(' ') } });
	return answer;
}
