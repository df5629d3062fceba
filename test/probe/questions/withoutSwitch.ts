import { inWords, isObject, isSuccess, membersOf, recordsOf, type ServiceAnswer } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import type { Finding, Question } from './question';

/** Open points without a switch, by their names in the table of `test/service/README.md`. */
export const questionsWithoutSwitch: readonly Question[] = [
	ask('A key that is accepted in the query only', async ({ client, path }) => {
		const query = 'api&naming=EID&limit=1';
		const header = outcome(await client.get(path, query));
		const parameter = outcome(await client.get(path, query, 'keyInQuery'));
		return { seen: `header: ${header.seen}; query: ${parameter.seen}` };
	}),
	ask('The words of field types', async ({ client, path }) => {
		const { fields } = membersOf(await client.get(`${path}/metadata/schema`, 'api'));
		if (!Array.isArray(fields)) throw new NotAsked('the schema does not tell the fields');
		const types = fields.filter(isObject).map(({ type }) => String(type));
		return { seen: [...new Set(types)].sort().join(', ') };
	}),
	ask('Whether `doValidation` is on unless it is said', async (sheet) => {
		const record = await sheet.newRecord();
		const wrong = { [await sheet.field('number')]: 'no number' };
		const unsaid = outcome(await sheet.update(record, wrong)).seen;
		const said = outcome(await sheet.update(record, wrong, '&doValidation=true')).seen;
		return { seen: `a text in a number field: ${unsaid}; with doValidation: ${said}` };
	}),
];

function ask(point: string, asking: (sheet: ScratchSheet) => Promise<Finding>): Question {
	return { point, ask: asking };
}

function outcome(answer: ServiceAnswer): { seen: string } {
	const records = recordsOf(answer);
	if (records) return { seen: `answers ${records.size} records` };
	return { seen: isSuccess(answer) ? 'accepted' : inWords(answer) };
}
