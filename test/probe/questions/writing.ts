import {
	codeOf,
	createdId,
	inWords,
	isSuccess,
	membersOf,
	quoted,
	recordsOf,
	type ServiceAnswer,
} from '../answer';
import { NotAsked, type FieldKind, type OwnRecord, type ScratchSheet } from '../scratchSheet';
import { judged, question, unexpected, type Finding } from './question';

const second = 1000;

/** Questions about writes. All writes change only records of the probe. */
export const writingQuestions = [
	question('answerCarriesData', 'The saved record in the answer to a create', async (sheet) => {
		const standsFor = 'data' in membersOf((await sheet.newRecord()).answer);
		return { seen: standsFor ? 'as `data`' : 'not there', standsFor };
	}),
	question('createAnswer', 'The form of the answer to a create', async (sheet) => {
		const answer = await sheet.create();
		const count = recordsOf(answer)?.size ?? 0;
		if (!isSuccess(answer) && count > 1)
			return { seen: 'the whole sheet', standsFor: 'wholeSheet' };
		if (createdId(answer) === undefined) throw new NotAsked('no record could be made');
		return isSuccess(answer)
			? { seen: 'with a status', standsFor: 'status' }
			: { seen: 'the record by its ID', standsFor: 'recordById' };
	}),
	question('filterLagMilliseconds', 'When a filter finds a new record', async (sheet) => {
		const { clock } = sheet.client;
		const { id } = await sheet.newRecord();
		const begun = clock.now();
		for (let trial = 0; trial <= 30; trial += 1) {
			const passed = clock.now() - begun;
			const isFirst = trial === 0;
			if ((await sheet.findByMark()).has(id)) {
				return isFirst
					? { seen: 'at once', standsFor: 0 }
					: { seen: `after ${(passed / second).toFixed(0)} s`, standsFor: passed };
			}
			await clock.wait(second);
		}
		return { seen: 'not within 30 s' };
	}),
	question('storedTimes', 'How exact the Last Update Date is', async (sheet) => {
		const record = await sheet.newRecord();
		if (seconds(await updateDate(sheet, record)) > 0)
			return { seen: 'seconds', standsFor: 'seconds' };
		await sheet.client.clock.wait(second);
		await touch(sheet, record);
		return seconds(await updateDate(sheet, record)) > 0
			? { seen: 'seconds', standsFor: 'seconds' }
			: { seen: 'minutes', standsFor: 'minutes' };
	}),
	question('comparedTimes', 'How exactly filters compare the Last Update Date', async (sheet) => {
		const record = await sheet.newRecord();
		const date = encodeURIComponent(await updateDate(sheet, record));
		const found = async (operator: string) => {
			const answer = await sheet.list(`limit=1000&where=109,${operator},${date}`);
			return recordsOf(answer)?.has(record.id) === true;
		};
		const { clock } = sheet.client;
		for (let trial = 0; trial < 30 && !(await found('gte')); trial += 1) await clock.wait(second);
		if (await found('gt')) return { seen: 'finer than it is shown', standsFor: 'finer' };
		return (await found('gte'))
			? { seen: 'as it is shown', standsFor: 'asShown' }
			: { seen: 'not found by it within 30 s' };
	}),
	question('writeWarning', 'The `warning` of a successful write', async (sheet) => {
		const answer = await touch(sheet, await sheet.newRecord());
		return isSuccess(answer) ? text(membersOf(answer).warning) : unexpected(answer);
	}),
	question('writeMessage', 'The `msg` of a successful write', async (sheet) => {
		const answer = await touch(sheet, await sheet.newRecord());
		return isSuccess(answer) ? text(membersOf(answer).msg) : unexpected(answer);
	}),
	question('vendorParameters', 'The parameter `n8n` on a write', async (sheet) =>
		known(await touch(sheet, await sheet.newRecord(), '&n8n')),
	),
	question('writeRefusal', 'How a write is refused for what it says', async (sheet) => {
		const answer = await touch(sheet, await sheet.newRecord(), '&sheetRecordsProbe=1');
		if (isSuccess(answer)) return { seen: 'an unknown query parameter is accepted' };
		const { status, msg } = membersOf(answer);
		const seen = `for an unknown query parameter: ${inWords(answer)}`;
		if (status !== undefined) return { seen, standsFor: 'statusAndCode' };
		return msg === undefined ? { seen } : { seen, standsFor: 'messageOnly' };
	}),
	question('wrongNumbers', 'A text in a number field', async (sheet) => {
		const record = await sheet.newRecord();
		const answer = await sheet.update(record, { [await sheet.field('number')]: 'no number' });
		if (!isSuccess(answer)) return unexpected(answer);
		const { msg } = membersOf(answer);
		const said = typeof msg === 'string' && msg !== '' ? `, and says “${msg}”` : '';
		const value = await sheet.ownValue(record, 'number');
		return value === 'no number'
			? { seen: `stored${said}`, standsFor: 'stored' }
			: { seen: `not stored${said}`, standsFor: 'blank' };
	}),
	question('unknownBodyField', 'A field id that the sheet does not have', async (sheet) => {
		const record = await sheet.newRecord();
		const answer = await sheet.update(record, { '999999999': 'probe' });
		return judged(answer, [isSuccess(answer), 'ignored', 'passed over'], [true, 'refused']);
	}),
	question('unknownRows', 'A row that is not there', async (sheet) => {
		const field = await sheet.field('row');
		const answer = await sheet.update(await sheet.newRecord(), {
			[`${field}_2147483646`]: 'probe',
		});
		return judged(answer, [isSuccess(answer), 'passedOver', 'passed over'], [true, 'refused']);
	}),
	question('deletionsWithRows', 'Deletions of rows together with rows', async (sheet) => {
		const field = await sheet.field('row');
		const record = await sheet.newRecord();
		const rowsNow = async () => {
			const [key = '', rows] = rowsIn((await sheet.readOwn(record)).get(record.id));
			return { subtableId: key.replace('_subtable_', ''), rowIds: Object.keys(Object(rows)) };
		};
		const { subtableId, rowIds } = await rowsNow();
		const [rowId] = rowIds;
		if (rowId === undefined) throw new NotAsked('the row of a new record could not be read');
		const body = { [`${field}_-1`]: 'probe', [`DELSUB_${subtableId}`]: rowId };
		const answer = await sheet.update(record, body);
		const isLeft = (await rowsNow()).rowIds.includes(rowId);
		if (!isSuccess(answer)) return { seen: inWords(answer), standsFor: 'refused' };
		return isLeft
			? { seen: 'the deletion is passed over', standsFor: 'passedOver' }
			: { seen: 'done together', standsFor: 'together' };
	}),
	question('newRowOrder', 'The order in which new rows are stored', async (sheet) => {
		const field = await sheet.field('row');
		const record = await sheet.newRecord();
		const body = { [`${field}_-1`]: 'probe one', [`${field}_-2`]: 'probe two' };
		const answer = await sheet.update(record, body);
		if (!isSuccess(answer)) return unexpected(answer);
		const [, rows] = rowsIn((await sheet.readOwn(record)).get(record.id) ?? {});
		const idOf = (word: string) =>
			Object.entries(Object(rows)).find(([, row]) => JSON.stringify(row).includes(word))?.[0];
		const [one, two] = ['probe one', 'probe two'].map(idOf);
		if (one === undefined || two === undefined) throw new NotAsked('the rows could not be read');
		return Number(one) < Number(two)
			? { seen: 'that of the body', standsFor: 'bodyOrder' }
			: { seen: 'that of their numbers', standsFor: 'byNumber' };
	}),
	question('rowNumbers', 'Whether two subtables may have rows of the same ID', async (sheet) => {
		await sheet.field('row');
		const ids: string[] = [];
		for (const record of [await sheet.newRecord(), await sheet.newRecord()]) {
			const found = (await sheet.readOwn(record)).get(record.id) ?? {};
			ids.push(...Object.keys(Object(rowsIn(found)[1])));
		}
		if (ids.length < 2) throw new NotAsked('the rows of new records could not be read');
		return new Set(ids).size < ids.length
			? { seen: 'each record counts anew', standsFor: 'bySubtable' }
			: { seen: `rows of two records are ${ids.join(' and ')}`, standsFor: 'bySheet' };
	}),
	question('uniqueFields', 'A text twice in a unique field', async (sheet) => {
		const field = await sheet.field('unique');
		await sheet.newRecord([['unique', sheet.markText]]);
		const duplicate = await sheet.newRecord();
		const unchecked = await sheet.update(duplicate, { [field]: sheet.markText });
		if (!isSuccess(unchecked)) return { seen: inWords(unchecked), standsFor: 'everyWrite' };
		const checked = await sheet.update(
			duplicate,
			{ [field]: sheet.markText },
			'&doValidation=true',
		);
		return isSuccess(checked)
			? { seen: 'never refused' }
			: { seen: `stored; with doValidation ${inWords(checked)}`, standsFor: 'doValidation' };
	}),
	question('unknownChoices', 'A text that is no choice of a selection', async (sheet) => {
		const { record, ...finding } = await storing(sheet, 'choice', 'No Choice of the Probe');
		if (finding.standsFor !== 'stored') return finding;
		const wrong = { [await sheet.field('choice')]: 'No Choice of the Probe' };
		const checked = await sheet.update(record, wrong, '&doValidation=true');
		return isSuccess(checked)
			? { seen: 'stored, with doValidation too', standsFor: 'stored' }
			: { seen: `stored; with doValidation ${inWords(checked)}`, standsFor: 'refusedByValidation' };
	}),
	question('unknownPeople', 'Somebody who is no user of the account', async (sheet) => {
		const { seen, standsFor } = await storing(sheet, 'person', 'nobody@probe.invalid');
		return { seen, standsFor };
	}),
	question('wrongDates', 'A text in a date field that is none', async (sheet) => {
		const { seen, standsFor } = await storing(sheet, 'date', 'no date');
		return standsFor === 'dropped' ? { seen, standsFor: 'lost' } : { seen, standsFor };
	}),
	question('writeNaming', '`naming` on a write', async (sheet) =>
		known(await touch(sheet, await sheet.newRecord(), '&naming=EID')),
	),
	question('bodyParameters', 'Parameters of a write in its body', async (sheet) => {
		const body = { [await sheet.field('mark')]: sheet.markText, v: '3' };
		return known(await sheet.update(await sheet.newRecord(), body));
	}),
	question('deletionAnswer', 'The form of the answer to a deletion', async (sheet) => {
		const answer = await sheet.act(await sheet.newRecord(), 'DELETE');
		const { status, msg } = membersOf(answer);
		if (status === 'SUCCESS') return { seen: 'with `status`', standsFor: 'status' };
		return status === undefined && msg !== undefined
			? { seen: inWords(answer), standsFor: 'messageOnly' }
			: unexpected(answer);
	}),
	question('deleteMessage', 'The message of a deletion', async (sheet) => {
		const answer = await sheet.act(await sheet.newRecord(), 'DELETE');
		return isSuccess(answer) ? text(membersOf(answer).msg) : unexpected(answer);
	}),
	question('missingDelete', 'The deletion of a record that is not there', async (sheet) => {
		const record = await sheet.newRecord();
		const first = await sheet.act(record, 'DELETE');
		if (!isSuccess(first)) throw new NotAsked(`the record could not be deleted: ${inWords(first)}`);
		const answer = await sheet.act(record, 'DELETE');
		const isRefused = codeOf(answer) === 404;
		return judged(answer, [isSuccess(answer), 'success', 'no error'], [isRefused, 'code404']);
	}),
];

/** Returns the key and the rows of the first subtable of a record. */
function rowsIn(record: object = {}): [key?: string, rows?: unknown] {
	return Object.entries(record).find(([key]) => /^_subtable_(?!61)/.test(key)) ?? [];
}

function known(answer: ServiceAnswer): Finding<'known' | 'unknown'> {
	return judged(answer, [isSuccess(answer), 'known', 'accepted'], [true, 'unknown']);
}

function text(value: unknown): Finding<string> {
	const standsFor = typeof value === 'string' ? value : '';
	return { seen: standsFor === '' ? 'none' : quoted(standsFor), standsFor };
}

/** Writes an invalid text to a field. Returns whether the service stores or drops it. */
async function storing(
	sheet: ScratchSheet,
	kind: FieldKind,
	wrong: string,
): Promise<Finding<'stored' | 'dropped'> & { record: OwnRecord }> {
	const record = await sheet.newRecord();
	const answer = await sheet.update(record, { [await sheet.field(kind)]: wrong });
	if (!isSuccess(answer)) return { ...unexpected(answer), record };
	return isEmpty(await sheet.ownValue(record, kind))
		? { seen: 'dropped without a word', standsFor: 'dropped', record }
		: { seen: 'stored', standsFor: 'stored', record };
}

/** Writes a value that the record already has. */
async function touch(
	sheet: ScratchSheet,
	record: OwnRecord,
	parameters = '',
): ReturnType<ScratchSheet['update']> {
	return await sheet.update(record, { [await sheet.field('mark')]: sheet.markText }, parameters);
}

async function updateDate(sheet: ScratchSheet, record: OwnRecord): Promise<string> {
	const found = (await sheet.readOwn(record, '&info=true')).get(record.id);
	const date = found?._update_date;
	if (typeof date === 'string' && date !== '') return date;
	throw new NotAsked('the record tells no Last Update Date');
}

/** Returns the seconds of a time, or 0 if the time has no seconds. */
function seconds(time: string): number {
	return Number(/\d+:\d+:(\d+)/.exec(time)?.[1] ?? 0);
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
