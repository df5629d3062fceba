import { inWords, isObject, isSuccess, membersOf, recordsOf, type ServiceAnswer } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import type { Finding, Question } from './question';

/**
 * Open points for which the reference service has one reading and no switch. Their names are those of the table in
 * `test/service/README.md`.
 */
export const questionsWithoutSwitch: readonly Question[] = [
	ask('A query parameter that a `POST` does not have', async (sheet) => {
		const record = await sheet.newRecord();
		const mark = { [await sheet.field('mark')]: sheet.markText };
		return outcome(await sheet.update(record, mark, '&sheetRecordsProbe=1'));
	}),
	ask('Both `version` and `v`; what differs between versions', async (sheet) => {
		const both = await sheet.list('limit=1&version=2025-01-01&v=2');
		const answers = new Set<string>();
		for (const version of [1, 2, 3]) {
			const answer = await sheet.list(`limit=5&v=${version}`);
			answers.add(recordsOf(answer) ? answer.text : inWords(answer));
		}
		const differ = answers.size === 1 ? 'v=1, 2 and 3 answer alike' : 'v=1, 2 and 3 differ';
		return { seen: `both: ${outcome(both).seen}; ${differ}` };
	}),
	ask('`POST`, `PUT` and `PATCH` on a record', async (sheet) => {
		const field = await sheet.field('text');
		const seen: string[] = [];
		for (const method of ['POST', 'PUT', 'PATCH'] as const) {
			const record = await sheet.newRecord();
			const answer = await sheet.act(record, method, '', new URLSearchParams({ [field]: 'probe' }));
			const isKept = (await sheet.ownValue(record, 'mark')) === sheet.markText;
			const merged = isKept ? 'merges' : 'empties what is not named';
			seen.push(`${method} ${isSuccess(answer) ? merged : inWords(answer)}`);
		}
		return { seen: seen.join('; ') };
	}),
	ask('Addresses below a record (`…/1/abc`, `…/1/5/2`), and `…/5.json`', async (sheet) => {
		const [id] = await sheet.sample();
		const seen: string[] = [];
		for (const rest of ['abc', `${id}/2`, `${id}.json`]) {
			const answer = await sheet.client.get(`${sheet.path}/${rest}`, 'api&naming=EID&limit=2');
			seen.push(`…/${rest.replace(id, '5')} ${outcome(answer).seen}`);
		}
		return { seen: seen.join('; ') };
	}),
	ask('A key that is accepted in the query only', async ({ client, path }) => {
		const query = 'api&naming=EID&limit=1';
		const header = outcome(await client.get(path, query));
		const parameter = outcome(await client.get(path, query, 'keyInQuery'));
		return { seen: `header: ${header.seen}; query: ${parameter.seen}` };
	}),
	ask('An empty third argument with other operators than `eq`', async (sheet) => {
		const field = await sheet.field('mark');
		const seen: string[] = [];
		for (const operator of ['eq', 'like', 'gte', 'regex']) {
			const answer = await sheet.list(`limit=1&where=${field},${operator},`);
			const records = recordsOf(answer);
			const [record] = records?.values() ?? [];
			const isFull = record !== undefined && record[field] !== '';
			const found = isFull ? 'finds what is not empty' : 'finds nothing but what is empty';
			seen.push(`${operator} ${records ? found : inWords(answer)}`);
		}
		return { seen: seen.join('; ') };
	}),
	ask("`eqeq` on a sheet's own key field", async (sheet) => {
		const { client, path } = sheet;
		const schema = membersOf(await client.get(`${path}/metadata/schema`, 'api'));
		const keyField = isObject(schema.sheet) ? schema.sheet.keyFieldId : undefined;
		if (keyField === undefined) throw new NotAsked('the schema does not tell the key field');
		const [id] = await sheet.sample();
		const found = recordsOf(await sheet.list(`where=${String(keyField)},eqeq,${id}`));
		if (!found) return { seen: 'refused' };
		return {
			seen: found.size === 1 && found.has(id) ? 'the record itself' : `${found.size} records`,
		};
	}),
	ask('The operators `lk` and `range`', async (sheet) => {
		const field = await sheet.field('mark');
		const lk = await sheet.list(`limit=1&where=${field},lk,probe`);
		const range = await sheet.list(`limit=1&where=${field},range,a`);
		return { seen: `lk ${outcome(lk).seen}; range ${outcome(range).seen}` };
	}),
	ask('`fetchDomainIds`, which the specification does not have', async (sheet) => {
		const field = await sheet.field('mark');
		const answer = await sheet.list(`limit=1&fetchDomainIds=${field}`);
		const [record] = recordsOf(answer)?.values() ?? [];
		if (!record) return outcome(answer);
		const fields = Object.keys(record).filter((key) => /^\d+$/.test(key));
		return { seen: fields.join() === field ? 'that field alone' : `${fields.length} fields` };
	}),
	ask('Whether `doValidation` is on unless it is said', async (sheet) => {
		const record = await sheet.newRecord();
		const wrong = { [await sheet.field('number')]: 'no number' };
		const unsaid = outcome(await sheet.update(record, wrong)).seen;
		const said = outcome(await sheet.update(record, wrong, '&doValidation=true')).seen;
		return { seen: `a text in a number field: ${unsaid}; with doValidation: ${said}` };
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
