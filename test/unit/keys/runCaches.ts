import { findActionButton } from '../../../nodes/api/actions';
import type { Client } from '../../../nodes/api/http/client';
import type { ReadOptions } from '../../../nodes/api/read/readOptions';
import { recordMemory } from '../../../nodes/api/read/memory/recordMemory';
import { recordLoader } from '../../../nodes/api/read/recordLoader';
import { addRows } from '../../../nodes/api/rows/subtableRows';
import { SheetFields } from '../../../nodes/api/sheet/sheetFields';
import type { SheetAddress } from '../../../nodes/api/values/sheetAddress';
import { matchesOf } from '../../../nodes/SheetRecords/resources/record/matchGroups';
import type { Item } from '../../../nodes/SheetRecords/run/itemContext';
import type { CountingService } from './situation';

/** Parameters of a read by an item. All items of a run have the same credential. */
export interface Question {
	sheet: SheetAddress;
	reading: ReadOptions;
	matchFieldIds: string[];
	matchValue: string;
	recordId: string;
	subtableId: string;
}

const sheet: SheetAddress = { folders: ['sales'], sheetIndex: 1 };
const reading: ReadOptions = {
	naming: 'EID',
	version: '2025-01-01',
	parameters: [['tz', 8]],
	fields: ['1000001'],
};

export const usualQuestion: Question = {
	sheet,
	reading,
	matchFieldIds: ['1000001'],
	matchValue: 'a',
	recordId: '5',
	subtableId: '2000001',
};

const withReading = (changes: Partial<ReadOptions>): Question => ({
	...usualQuestion,
	reading: { ...reading, ...changes },
});

/** Questions that differ from the usual one in one part. */
export const otherQuestions = {
	sheet: { ...usualQuestion, sheet: { folders: ['sales'], sheetIndex: 2 } },
	folder: { ...usualQuestion, sheet: { folders: ['sales', 'more'], sheetIndex: 1 } },
	naming: withReading({ naming: 'FNAME' }),
	version: withReading({ version: '2025-02-02' }),
	offset: withReading({ parameters: [['tz', 0]] }),
	options: withReading({
		parameters: [
			['tz', 8],
			['info', true],
		],
	}),
	fields: withReading({ fields: ['1000002'] }),
	matchFields: { ...usualQuestion, matchFieldIds: ['1000002'] },
	matchValue: { ...usualQuestion, matchValue: 'b' },
	record: { ...usualQuestion, recordId: '6' },
	subtable: { ...usualQuestion, subtableId: '2000002' },
} satisfies Record<string, Question>;

export type Part = keyof typeof otherQuestions;

/** A cache of a run: `ask` sends a request, or calls `onLoad`, unless the value is known. */
export interface RunCacheCase {
	/** The parts of its key: a change of one of them alone must not find the value. */
	key: readonly Part[];
	ask: (client: Client, question: Question, onLoad: () => void) => unknown;
	/** Text in the addresses of the requests that count. */
	counted?: string;
}

const ofSheet: readonly Part[] = ['sheet', 'folder'];
const ofReading: readonly Part[] = [...ofSheet, 'naming', 'version', 'offset', 'options', 'fields'];

const perRun = 'All items of a run have the same account and login.';

/** The caches of a run, by the name of the constant or property that holds them. */
export const runCaches: Record<string, RunCacheCase | string> = {
	memoriesOfRuns: {
		key: ofSheet,
		ask: async (client, question) =>
			await new SheetFields(client, question.sheet).load({ readNames: true, kinds: true }),
	},
	knownButtons: {
		key: ofSheet,
		ask: async (client, question) => await findActionButton(client, question.sheet, 'Go', true),
	},
	memoriesOfRun: {
		key: ofSheet,
		ask: (client, question, onLoad) => {
			const memory = recordMemory(client, question.sheet);
			if (!knownMemories.has(memory)) onLoad();
			knownMemories.add(memory);
		},
	},
	writesOfRun: 'It has one key, because a write to a sheet may change the records of others.',
	loadersOfRun: {
		key: [...ofReading, 'record'],
		ask: async (client, question) =>
			await recordLoader(client, question.sheet, question.reading).load(client, question.recordId),
	},
	matchGroups: {
		key: [...ofReading, 'matchFields', 'matchValue'],
		async ask(client, question) {
			const { sheet: ofItem, matchFieldIds, matchValue } = question;
			const item = { client } as unknown as Item;
			const loader = recordLoader(client, ofItem, question.reading);
			const match = { matchFieldIds, key: [matchValue] };
			await matchesOf(item, ofItem, match, loader).recordIds([matchValue]);
		},
		counted: 'where=',
	},
	knownRows: {
		key: [...ofSheet, 'record', 'subtable'],
		async ask(client, question, onLoad) {
			const rows = [{ values: new Map(), files: [], kinds: new Map() }];
			const load = async () => {
				onLoad();
				return await Promise.resolve(new Map());
			};
			await addRows(client, question, rows, { known: rowsOf(client), loadRecord: load });
		},
		counted: 'nothing',
	},
	deferredUpdates:
		'Items of one run, found by the key of their record, which has account and sheet.',
	countsOfRun:
		'Counts with other conditions and options are tested in the engine (`count.test.ts`).',
	latest: 'The batches of rows are tested in the engine (`test/engine/keys`).',
	pageSizeLimits: perRun,
	cookies: perRun,
	loginRefusals: perRun,
};

const knownMemories = new WeakSet<object>();
const knownRowsOfRuns = new WeakMap<object, Map<string, ReadonlySet<string>>>();

function rowsOf({ cache }: Client): Map<string, ReadonlySet<string>> {
	const known = knownRowsOfRuns.get(cache) ?? new Map<string, ReadonlySet<string>>();
	knownRowsOfRuns.set(cache, known);
	return known;
}

const noName = { fields: [{ fieldId: 1000001, fieldName: '' }] };
const row = { 1: { 1000001: '5' } };

/** Answers every request of the table. */
export function answerQuestions(service: CountingService): void {
	service.answer = ({ pathname, search }) => {
		if (pathname.endsWith('/schema')) return noName;
		if (pathname.includes('actionButton')) return { actionButtons: [{ id: 1, name: 'Go' }] };
		if (/\/\d\/\d+$/.test(pathname) && !search.includes('naming='))
			return { status: 'SUCCESS', data: saved };
		return search.includes('where=') ? {} : records;
	};
}
const records = { 5: { 1000001: 'a' }, 6: { 1000001: 'b' } };
const saved = { 1000001: 'a', _subtable_2000001: row, _subtable_2000002: row };
