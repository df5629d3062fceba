import {
	codeOf,
	inWords,
	isPage,
	isSuccess,
	membersOf,
	recordsOf,
	type Members,
	type ServiceAnswer,
} from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { judged, question, unexpected } from './question';

/** No sheet has this number; no record either. */
const nowhere = '2147483646';

/** How records are shown, found and counted, and how errors look. */
export const readingQuestions = [
	question('dialect', 'The key of a record’s id', async (sheet) => {
		const [, record] = await sheet.sample();
		if ('_ragicId' in record) return { seen: '`_ragicId`', standsFor: 'ragic' };
		return '_svcId' in record
			? { seen: '`_svcId`', standsFor: 'standard' }
			: { seen: `neither; ${reservedKeys(record).join(', ')}` };
	}),
	question('extraReservedKeys', 'Reserved keys besides those described', async (sheet) => {
		const [, record] = await sheet.sample();
		const described = ['_svcId', '_ragicId', '_star', '_index_title_'];
		const others = reservedKeys(record).filter((key) => !described.includes(key));
		const standsFor = ['_index_', '_index_calDates_', '_dataTimestamp'].some(
			(key) => key in record,
		);
		return { seen: others.length === 0 ? 'none' : others.join(', '), standsFor };
	}),
	question('defaultNaming', 'The keys of records without `naming`', async (sheet) => {
		const [id] = await sheet.sample();
		const answer = await sheet.client.get(`${sheet.path}/${id}`, 'api');
		const record = recordsOf(answer)?.get(id);
		if (!record) return unexpected(answer);
		const keys = Object.keys(record).filter((key) => !key.startsWith('_'));
		const areIds = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
		return areIds
			? { seen: 'field ids', standsFor: 'EID' }
			: { seen: 'field names', standsFor: 'FNAME' };
	}),
	question('numbersAsText', 'How numbers are written', async (sheet) => {
		const isText = typeof (await sheet.value('number')) === 'string';
		return { seen: isText ? 'as JSON strings' : 'as JSON numbers', standsFor: isText };
	}),
	question('singleChoiceAsText', 'A multiple selection with one choice', async (sheet) => {
		const value = await sheet.value('choices');
		if (Array.isArray(value) && value.length > 1)
			throw new NotAsked('no record has just one choice');
		return Array.isArray(value)
			? { seen: 'an array', standsFor: false }
			: { seen: 'a plain string', standsFor: true };
	}),
	question('missingRecord', 'A record that is not there', async ({ client, path }) => {
		const answer = await client.get(`${path}/${nowhere}`, 'api&naming=EID');
		return judged(
			answer,
			[recordsOf(answer)?.size === 0, 'empty'],
			[codeOf(answer) === 404, 'code404'],
			[answer.status === 404, 'http404'],
		);
	}),
	question('unknownReadParameter', 'An unknown parameter of a read', async (sheet) => {
		const answer = await sheet.list('limit=1&sheetRecordsProbe=1');
		const isPassedOver = recordsOf(answer) !== undefined;
		const isRefused = codeOf(answer) === 102;
		return judged(answer, [isPassedOver, 'ignored', 'passed over'], [isRefused, 'code102']);
	}),
	question('listingSubtables', 'Subtables in a list with `listing`', async (sheet) => {
		await sheet.field('row');
		const full = await sheet.newest();
		const [id] = [...full].find(([, record]) => hasRows(record)) ?? [];
		if (id === undefined) throw new NotAsked('no record has rows in a subtable');
		const record = (await sheet.newest('&listing=true')).get(id);
		const isShown = record !== undefined && hasRows(record);
		if (isShown) return { seen: 'shown', standsFor: 'shown' };
		// Of a scratch sheet alone it is known that the listing page has a field of the subtable.
		return sheet.mayWrite
			? { seen: 'left out', standsFor: 'leftOut' }
			: { seen: 'left out, or none of their fields is on the listing page' };
	}),
	question('subtableFilters', 'A filter on a field of a subtable', async (sheet) => {
		const field = await sheet.field('row');
		const [id, text] = [...(await sheet.newest())].flatMap(([recordId, record]) => {
			const value = rowValue(record, field);
			return value === undefined ? [] : [[recordId, value] as const];
		})[0] ?? [undefined, ''];
		if (id === undefined) throw new NotAsked('no record has rows with such a field');
		const found = await sheet.list(`limit=100&where=${field},eq,${encodeURIComponent(text)}`);
		if (recordsOf(found)?.has(id)) return { seen: 'finds the record', standsFor: 'findRows' };
		const all = await sheet.newest(`&where=105,gte,${encodeURIComponent('1970/01/01 00:00:00')}`);
		if (!all.has(id)) throw new NotAsked('filters do not find that record at all (yet)');
		return recordsOf(found)
			? { seen: 'does not find the record', standsFor: 'findNothing' }
			: unexpected(found);
	}),
	question('modifiedName', 'The name `_ragicModified` in filters', async (sheet) => {
		const [since, after] = ['1970/01/01 00:00:00', '2900/01/01 00:00:00'].map(encodeURIComponent);
		const all = await sheet.list(`limit=1&where=_ragicModified,gte,${since}`);
		if (isRefusal(all)) return { seen: inWords(all), standsFor: 'unknown' };
		const none = await sheet.list(`limit=1&where=_ragicModified,gte,${after}`);
		const counts = [recordsOf(all)?.size, recordsOf(none)?.size];
		return counts[0] === 1 && counts[1] === 0
			? { seen: 'the Last Update Date', standsFor: 'known' }
			: { seen: `not refused, but it does not filter by time (${counts.join(' and ')} found)` };
	}),
	question('maximumLimit', 'A cap on `limit`', async (sheet) => {
		const most = 5000;
		const first = recordsOf(await sheet.list(`limit=${most}&subtables=0`));
		if (!first) throw new NotAsked('the sheet could not be read');
		const count = first.size;
		if (count >= most) return { seen: `none up to ${most}`, standsFor: undefined };
		const more = recordsOf(await sheet.list(`limit=1&offset=${count}&subtables=0`));
		return more?.size === 1
			? { seen: `a limit of ${most} gives ${count}, and there are more`, standsFor: count }
			: { seen: `none up to the ${count} records of the sheet`, standsFor: undefined };
	}),
	question('errorTransport', 'The HTTP status of an error', async (sheet) => {
		const { status } = await wrongSheet(sheet);
		if (status >= 400) return { seen: `HTTP ${status}`, standsFor: 'httpStatus' };
		return { seen: `HTTP ${status}`, standsFor: 'status200' };
	}),
	question('errorFormat', 'The form of an error', async (sheet) => {
		const answer = await wrongSheet(sheet);
		return judged(answer, [isPage(answer), 'html'], [codeOf(answer) !== undefined, 'json']);
	}),
	question('errorCodeKey', 'The key of an error’s code', async (sheet) => {
		const members = membersOf(await wrongSheet(sheet));
		if ('errorCode' in members) return { seen: '`errorCode`', standsFor: 'errorCode' };
		return 'code' in members ? { seen: '`code`', standsFor: 'code' } : { seen: 'there is none' };
	}),
];

/** An answer that must be an error: about a sheet that is not there. */
async function wrongSheet({ client, path }: ScratchSheet): Promise<ServiceAnswer> {
	const folder = path.split('/').slice(0, -1).join('/');
	return await client.get(`${folder}/${nowhere}`, 'api&limit=1');
}

function isRefusal(answer: ServiceAnswer): boolean {
	return (
		codeOf(answer) !== undefined || answer.status >= 400 || isPage(answer) || isSuccess(answer)
	);
}

function reservedKeys(record: Members): string[] {
	return Object.keys(record).filter((key) => /^_(?!subtable_)/.test(key));
}

/** The rows of all subtables, comments left aside. */
function rowsOf(record: Members): Members[] {
	return Object.entries(record).flatMap(([key, rows]) =>
		key.startsWith('_subtable_') && key !== '_subtable_61' && typeof rows === 'object'
			? Object.values(rows ?? {})
			: [],
	);
}

function hasRows(record: Members): boolean {
	return rowsOf(record).length > 0;
}

function rowValue(record: Members, field: string): string | undefined {
	const values = rowsOf(record).map((row) => row[field]);
	return values.find((value): value is string => typeof value === 'string' && value !== '');
}
