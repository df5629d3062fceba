import { inWords, isObject, isSuccess, membersOf, recordsOf, type ServiceAnswer } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import type { Finding, Question } from './question';

/** Questions about open points without a switch. They have the same names as in the table of `test/service/README.md`. */
export const questionsWithoutSwitch: readonly Question[] = [
	ask('A query parameter that a `POST` does not have', async (sheet) => {
		const record = await sheet.newRecord();
		const mark = { [await sheet.field('mark')]: sheet.markText };
		return outcome(await sheet.update(record, mark, '&sheetRecordsProbe=1'));
	}),
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
	ask('`fetchDomainIds`, which the specification does not have', async (sheet) => {
		const field = await sheet.field('mark');
		const answer = await sheet.list(`limit=1&fetchDomainIds=${field}`);
		const [record] = recordsOf(answer)?.values() ?? [];
		if (!record) return outcome(answer);
		const fields = Object.keys(record).filter((key) => /^\d+$/.test(key));
		return { seen: fields.join() === field ? 'that field alone' : `${fields.length} fields` };
	}),
	ask(
		'A list as a workbook or as a letter, and the older `customPrintTemplateId`',
		async ({ client, path }) => {
			const answer = await client.get(`${path}.xlsx`, 'api');
			const isWorkbook = answer.text.startsWith('PK');
			return { seen: `the workbook: ${isWorkbook ? 'sent' : inWords(answer)}` };
		},
	),
	ask('Whether `doValidation` is on unless it is said', async (sheet) => {
		const record = await sheet.newRecord();
		const wrong = { [await sheet.field('number')]: 'no number' };
		const byDefault = outcome(await sheet.update(record, wrong)).seen;
		const validated = outcome(await sheet.update(record, wrong, '&doValidation=true')).seen;
		return { seen: `a text in a number field: ${byDefault}; with doValidation: ${validated}` };
	}),
	ask('An upload to a field that holds files', async (sheet) => {
		const field = await sheet.field('file');
		const record = await sheet.newRecord();
		for (const text of ['first', 'second']) {
			const form = new FormData();
			form.append(field, new Blob([text], { type: 'text/plain' }), `${text}.txt`);
			const answer = await sheet.update(record, form);
			if (!isSuccess(answer)) return outcome(answer);
		}
		const value = await sheet.ownValue(record, 'file');
		const count = [value].flat().filter((file) => typeof file === 'string' && file !== '').length;
		return { seen: count === 2 ? 'adds' : 'replaces' };
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
