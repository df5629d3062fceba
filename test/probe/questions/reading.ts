import { isObject, membersOf, recordsOf, type Members } from '../answer';
import { NotAsked } from '../scratchSheet';
import { question, unexpected } from './question';

/** How records are shown, found and counted. */
export const readingQuestions = [
	question('dialect', 'The key of a record’s id', async (sheet) => {
		const [, record] = await sheet.sample();
		if ('_ragicId' in record) return { seen: '`_ragicId`', standsFor: 'ragic' };
		return '_svcId' in record
			? { seen: '`_svcId`', standsFor: 'standard' }
			: { seen: `neither; ${reservedKeys(record).join(', ')}` };
	}),
	question('defaultOrder', 'The order of a list without `order`', async (sheet) => {
		if (sheet.mayWrite) await sheet.newRecord();
		const first = async (more: string) =>
			Number(...(recordsOf(await sheet.list(`limit=1${more}`))?.keys() ?? []));
		// Ids grow with time.
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
		const others = keys.filter((key) => !/^\d+$/.test(key));
		return { seen: others.join(', ') || 'none', standsFor: others.length > 0 };
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
];

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
