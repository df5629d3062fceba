import { codeOf, inWords, isPage, type ServiceAnswer } from '../answer';
import type { Caller } from '../client';
import { NotAsked, type OwnRecord, type ScratchSheet } from '../scratchSheet';
import { judged, question, unexpected } from './question';

const fileName = 'probe ü 日本.txt';
const content = 'Made by the probe of Sheet Records.';

/** Questions about stored files and documents. */
export const fileQuestions = [
	question('leadingEmptyFile', 'A field with several files', async (sheet) => {
		const value = sheet.mayWrite
			? await upload(sheet, await sheet.newRecord(), 2)
			: await sheet.value('file');
		if (!Array.isArray(value)) throw new NotAsked('no record has several files in the field');
		return value[0] === ''
			? { seen: 'the array begins with an empty text', standsFor: true }
			: { seen: 'an array of the files alone', standsFor: false };
	}),
	question('filesAreOpen', 'A stored file, asked for by nobody', async (sheet) => {
		const answer = await download(sheet, await storedFile(sheet), 'nobody');
		return isFile(answer)
			? { seen: 'given', standsFor: true }
			: { seen: inWords(answer), standsFor: false };
	}),
	question('filesNeedSession', 'Whom a stored file is given to', async (sheet) => {
		const file = await storedFile(sheet);
		if (isFile(await download(sheet, file, 'nobody'))) return { seen: 'anybody' };
		const byKey = await download(sheet, file, 'key');
		if (isFile(byKey)) return { seen: 'the key alone', standsFor: false };
		await sheet.sample();
		if (isFile(await download(sheet, file, 'cookie'))) {
			return { seen: `a session alone; to the key ${inWords(byKey)}`, standsFor: true };
		}
		return isFile(await download(sheet, file, 'keyWithCookie'))
			? {
					seen: `the key beside the cookie of a read; to the key ${inWords(byKey)}`,
					standsFor: 'besideKey',
				}
			: unexpected(byKey);
	}),
	question('documents', 'A record as PDF', async (sheet) => {
		const [id] = await sheet.sample();
		const answer = await sheet.client.get(`${sheet.path}/${id}.pdf`, '');
		return judged(
			answer,
			[answer.text.startsWith('%PDF'), 'on', 'a PDF'],
			[answer.text === '', 'empty'],
			[isPage(answer), 'html'],
			[codeOf(answer) !== undefined, 'json'],
			[answer.status === 404, 'http404'],
		);
	}),
];

/** Uploads files to the file field of a record of the probe. Returns the stored value of the field. */
async function upload(sheet: ScratchSheet, record: OwnRecord, count: number): Promise<unknown> {
	const field = await sheet.field('file');
	const form = new FormData();
	for (let number = 1; number <= count; number += 1) {
		form.append(field, new Blob([content], { type: 'text/plain' }), fileName);
	}
	const answer = await sheet.update(record, form);
	const value = await sheet.ownValue(record, 'file');
	if (value !== undefined && value !== '') return value;
	throw new NotAsked(`the upload was refused: ${inWords(answer)}`);
}

/** Returns the stored value of a file: of an uploaded file if writing is allowed, otherwise of an existing file. */
async function storedFile(sheet: ScratchSheet): Promise<string> {
	const value = sheet.mayWrite
		? await upload(sheet, await sheet.newRecord(), 1)
		: await sheet.value('file');
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const last = values.at(-1);
	if (typeof last === 'string' && last.includes('@')) return last;
	throw new NotAsked('the field holds no stored file');
}

async function download(
	{ client }: ScratchSheet,
	file: string,
	caller: Caller,
): Promise<ServiceAnswer> {
	const query = `a=${encodeURIComponent(client.account)}&f=${encodeURIComponent(file)}`;
	return await client.get('/sims/file.jsp', query, caller);
}

function isFile(answer: ServiceAnswer): boolean {
	return answer.status === 200 && codeOf(answer) === undefined && !isPage(answer);
}
