import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Characters of JSON, so that an answer leaves a model room to think: of all items, and of one field among several. */
const mostOfAnswer = 40_000;
const mostOfField = 4_000;

/** Returns items that a model can read, and one that says what was left out. No text is cut: a model might write it back. */
export function boundedAnswer(items: readonly INodeExecutionData[]): INodeExecutionData[] {
	const answer: INodeExecutionData[] = [];
	const longFields = new Set<string>();
	let room = mostOfAnswer;
	const longest = items.length > 1 ? mostOfField : mostOfAnswer;
	for (const item of items) {
		const json: IDataObject = {};
		let size = 2;
		for (const [name, value] of Object.entries(item.json)) {
			const { length } = JSON.stringify({ [name]: value });
			const fits = length <= longest && size + length <= mostOfAnswer;
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
			`The answer was too long: the last ${rest} of ${items.length} items were left out. Narrow the filters, ask for fewer fields with Only Fields, or use a lower limit.`,
		longFields.size > 0 &&
			`Left out of items, since they are long: ${[...longFields].join(', ')}. Get one record by itself for them.`,
	].filter((sentence) => sentence !== false);
	if (sentences.length > 0) answer.push({ json: { _leftOut: sentences.join(' ') } });
	return answer;
}
