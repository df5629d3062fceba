import {
	codeOf,
	isObject,
	membersOf,
	recordsOf,
	type Members,
	type ServiceAnswer,
} from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { judged, question, unexpected } from './question';

/** Number that neither a sheet nor a record has. */
const nowhere = '2147483646';

/** Questions about the format, order and numbering of records, and about errors. */
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
		const undescribed = reservedKeys(record).filter((key) => !described.includes(key));
		const standsFor = ['_index_', '_index_calDates_', '_dataTimestamp'].some(
			(key) => key in record,
		);
		return { seen: undescribed.length === 0 ? 'none' : undescribed.join(', '), standsFor };
	}),
	question('defaultOrder', 'The order of a list without `order`', async (sheet) => {
		if (sheet.mayWrite) await sheet.newRecord();
		const first = async (parameters: string) =>
			Number(...(recordsOf(await sheet.list(`limit=1${parameters}`))?.keys() ?? []));
		// Newer records have higher IDs.
		const [usual, reversed] = [await first(''), await first('&reverse=true')];
		if (usual === reversed) throw new NotAsked('the sheet has only one record');
		return usual > reversed
			? { seen: 'newest first', standsFor: 'newestFirst' }
			: { seen: 'oldest first', standsFor: 'oldestFirst' };
	}),
	question('sequence', '`_seq` of a record', async (sheet) => {
		const first = async () => [...(await sheet.newest()).values()][0]?._seq;
		const before = await first();
		if (before === undefined) return { seen: 'none without `info`', standsFor: 'ownWithInfo' };
		if (sheet.mayWrite) await sheet.newRecord();
		const moves = `the first of a list has ${String(before)}, and ${String(await first())} later`;
		return { seen: `without \`info\`, too: ${moves}`, standsFor: 'place' };
	}),
	question('keysBesideRecords', 'Keys beside the records', async (sheet) => {
		const keys = Object.keys(membersOf(await sheet.list('limit=1')));
		const otherKeys = keys.filter((key) => !/^\d+$/.test(key));
		return { seen: otherKeys.join(', ') || 'none', standsFor: otherKeys.length > 0 };
	}),
	question('rowKeys', 'What rows carry beside their fields', async (sheet) => {
		const rows = [...(await sheet.newest()).values()].flatMap(rowsOf);
		const [row] = rows;
		if (!row) throw new NotAsked('no record has rows in a subtable');
		const keys = reservedKeys(row);
		return { seen: keys.join(', '), standsFor: keys.length > 1 ? 'placesToo' : 'idAlone' };
	}),
	question('emptySubtables', 'A subtable without rows', async (sheet) => {
		const records = [...(await sheet.newest()).values()];
		const subtables = records.map((record) =>
			Object.entries(record).filter(([key]) => key.startsWith('_subtable_')),
		);
		const isEmpty = ([, rows]: [string, unknown]) => isObject(rows) && !Object.keys(rows).length;
		if (subtables.flat().some(isEmpty)) return { seen: 'an empty object', standsFor: 'shown' };
		const counts = new Set(subtables.map(({ length }) => length));
		if (counts.size < 2) throw new NotAsked('every record has rows in the same subtables');
		return { seen: 'left out', standsFor: 'leftOut' };
	}),
	question('rowCount', 'A key of a subtable that is no row', async (sheet) => {
		const subtables = [...(await sheet.newest()).values()].flatMap((record) =>
			Object.entries(record).filter(([key]) => key.startsWith('_subtable_')),
		);
		if (subtables.length === 0) throw new NotAsked('no record has rows in a subtable');
		const keys = subtables.flatMap(([, rows]) => Object.keys(Object(rows)));
		return keys.includes('_count')
			? { seen: '`_count`', standsFor: 'shown' }
			: { seen: 'none', standsFor: 'leftOut' };
	}),
	question('unnamedFields', 'The keys by name of fields that have none', async (sheet) => {
		const [id] = await sheet.sample();
		const answer = await sheet.client.get(`${sheet.path}/${id}`, 'api&naming=FNAME');
		const keys = Object.keys(recordsOf(answer)?.get(id) ?? {});
		const [key] = keys.filter((name) => /^(Untitled)?\d*$/.test(name));
		if (key === undefined) throw new NotAsked('the sheet has no field without a name');
		const standsFor = key.startsWith('Untitled') ? 'untitled' : 'numbered';
		return { seen: `\`${key}\``, standsFor };
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
	question('errorTransport', 'The HTTP status of an error', async (sheet) => {
		const { status } = await wrongSheet(sheet);
		if (status >= 400) return { seen: `HTTP ${status}`, standsFor: 'httpStatus' };
		return { seen: `HTTP ${status}`, standsFor: 'status200' };
	}),
	question('errorCodeKey', 'The key of an error’s code', async (sheet) => {
		const members = membersOf(await wrongSheet(sheet));
		if ('errorCode' in members) return { seen: '`errorCode`', standsFor: 'errorCode' };
		return 'code' in members ? { seen: '`code`', standsFor: 'code' } : { seen: 'there is none' };
	}),
];

/** Requests a sheet that does not exist, so that the response must be an error. */
async function wrongSheet({ client, path }: ScratchSheet): Promise<ServiceAnswer> {
	const folder = path.split('/').slice(0, -1).join('/');
	return await client.get(`${folder}/${nowhere}`, 'api&limit=1');
}

function reservedKeys(record: Members): string[] {
	return Object.keys(record).filter((key) => /^_(?!subtable_)/.test(key));
}

/** Returns the rows of all subtables except comments. */
function rowsOf(record: Members): Members[] {
	return Object.entries(record).flatMap(([key, rows]) =>
		key.startsWith('_subtable_') && key !== '_subtable_61' && typeof rows === 'object'
			? Object.values(rows ?? {})
			: [],
	);
}
