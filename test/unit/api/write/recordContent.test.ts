import fc from 'fast-check';
import {
	contentFor,
	contentWithoutKinds,
	formParts,
	forNewRecord,
	isEmpty,
	isSentNote,
	jsonBody,
	noChanges,
	rowPlace,
	valuesAt,
	withSentRowIds,
	type FieldValue,
	type FilePlace,
	type NoteReason,
	type RecordChanges,
	type RecordContent,
	type RecordFile,
} from '../../../../nodes/api/write/recordContent';
import { runs } from '../../../amount';

const texts = fc.string({ unit: 'binary', maxLength: 8 });
const values: fc.Arbitrary<FieldValue> = fc.oneof(
	texts,
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.boolean(),
	fc.array(texts, { maxLength: 4 }),
);
const rowIds = fc
	.integer({ min: -20, max: 20 })
	.filter((id) => id !== 0)
	.map(String);

const few = { minLength: 1, maxLength: 4, selector: ([id]: [unknown, unknown]) => id };

/** Returns fields whose IDs start with a different digit for each place, because field IDs are unique. */
const fieldsOf = (place: number) =>
	fc
		.uniqueArray(fc.tuple(fc.nat({ max: 99 }), values), few)
		.map((fields) => new Map(fields.map(([number, value]) => [`${place}${number}`, value])));
const rowsOf = (place: number) =>
	fc.uniqueArray(fc.tuple(rowIds, fieldsOf(place)), few).map((rows) => new Map(rows));
const changes: fc.Arbitrary<RecordChanges> = fc
	.tuple(fieldsOf(1), rowsOf(2), rowsOf(3), fc.array(fc.nat().map(String), { maxLength: 3 }))
	.map(([fields, first, second, deleted]) => ({
		fields,
		subtables: new Map([
			['20', first],
			['30', second],
		]),
		deletedRows: new Map(deleted.length > 0 ? [['20', deleted]] : []),
	}));

type Content = Map<string, string[]>;

/** Returns the content of a form: names with their texts, as collected by a server. */
function contentOfForm(fields: ReadonlyArray<readonly [string, unknown]>): Content {
	const content: Content = new Map();
	for (const [name, text] of fields)
		content.set(name, [...(content.get(name) ?? []), String(text)]);
	return content;
}

/** Returns the content of a JSON body, with the names of a form (specification, endpoints 6 and 7). */
function contentOfJson(text: string): Content {
	const content: Content = new Map();
	const body: Record<string, unknown> = JSON.parse(text);
	for (const [key, value] of Object.entries(body)) {
		if (!key.startsWith('_subtable_')) {
			content.set(key.replace(/^_DELSUB_/, 'DELSUB_'), textsOf(value));
			continue;
		}
		for (const [rowId, row] of Object.entries(value ?? {})) {
			for (const [fieldId, fieldValue] of Object.entries(row ?? {})) {
				content.set(`${fieldId}_${rowId}`, textsOf(fieldValue));
			}
		}
	}
	return content;
}

function textsOf(value: unknown): string[] {
	if (!Array.isArray(value)) return [String(value)];
	return value.length === 0 ? [''] : value.map(String);
}

describe('the body of a write', () => {
	it('a write has the same content as JSON and as a form', () => {
		fc.assert(
			fc.property(changes, (change) => {
				expect(contentOfForm(formParts({ changes: change, files: [] }))).toEqual(
					contentOfJson(jsonBody(change)),
				);
			}),
			{ numRuns: runs(200, 2000) },
		);
	});
});

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Returns a file whose name contains its original field and row. */
const fileFor = (fieldId: string, rowId?: string): RecordFile => ({
	fieldId,
	...(rowId === undefined ? {} : { rowId }),
	file: { name: `${fieldId} ${rowId}`, type: '', size: 0, stream: () => noBytes() },
});

const idsOfRows = fc.uniqueArray(fc.integer({ min: -5, max: 9 }).map(String), { maxLength: 8 });

it('a new record has no rows yet, so all rows get unique new IDs in their order, and files follow their rows', () => {
	fc.assert(
		fc.property(idsOfRows, idsOfRows, idsOfRows, (first, second, ofFiles) => {
			const rows = (ids: string[]) => new Map(ids.map((id) => [id, new Map([['7', id]])]));
			const subtables = new Map([
				['1', rows(first)],
				['2', rows(second.filter((id) => !first.includes(id)))],
			]);
			const files = [fileFor('9'), ...ofFiles.map((id) => fileFor('8', id))];
			const made = forNewRecord(contentWithoutKinds({ ...noChanges(), subtables }, files));
			const newRows = [...made.changes.subtables.values()].flatMap((byId) => [...byId]);
			const newIds = newRows.map(([id]) => id);
			expect(new Set(newIds).size).toBe(newIds.length);
			const values = (changes: RecordChanges['subtables']) =>
				[...changes.values()].map((byId) => [...byId.values()]);
			expect(values(made.changes.subtables)).toEqual(values(subtables));

			const [ownFile, ...rowFiles] = made.files;
			expect(ownFile).toEqual(files[0]);
			expect(rowFiles.map(({ file }) => file.name)).toEqual(ofFiles.map((id) => `8 ${id}`));
			const idOfOld = new Map(newRows.map(([id, row]) => [row.get('7'), id]));
			const idsOfFiles = rowFiles.map(({ rowId = '' }) => rowId);
			for (const [index, old] of ofFiles.entries()) {
				const ofRow = idOfOld.get(old);
				if (ofRow !== undefined) expect(idsOfFiles[index]).toBe(ofRow);
				else expect(newIds).not.toContain(idsOfFiles[index]);
			}
			for (const id of [...newIds, ...idsOfFiles]) expect(id).toMatch(/^-[1-9]\d*$/);
			expect(new Set(idsOfFiles).size).toBe(idsOfFiles.length);
		}),
	);
});

it('a file for a row ID of two subtables is ambiguous', () => {
	const rows = new Map([['7', new Map([['3', 'a text']])]]);
	const subtables = new Map([
		['1', rows],
		['2', rows],
	]);
	const content = contentWithoutKinds({ ...noChanges(), subtables }, [fileFor('8', '7')]);
	expect(() => forNewRecord(content)).toThrow(/8_7 .* 1, 2/);
});

it('notes of rows with IDs of another record are on any row of the new record', () => {
	const notes = ['11', '-1', undefined].map((rowId) => {
		return { name: 'Photo', reason: 'file', fieldId: '8', subtableId: '7', rowId } as const;
	});
	const made = forNewRecord({ ...contentWithoutKinds(noChanges()), notes });
	expect(made.notes).toEqual(notes.map((note) => ({ ...note, rowId: undefined })));
});

it.each([[['-1', '-2', '-3']], [['-3', '-1', '-2']]])(
	'new rows that only have files are stored in the order of their numbers: %j',
	(rowIds) => {
		const file = { name: 'a.txt', type: 'text/plain', size: 0, stream: async function* () {} };
		const files = rowIds.map((rowId) => ({ fieldId: '1000020', rowId, subtableId: '7', file }));
		const sent = withSentRowIds({ changes: noChanges(), files });
		// The service sorts new rows by their number.
		const sentId: Record<string, string> = { '-1': '-3', '-2': '-2', '-3': '-1' };
		expect(sent.files.map(({ rowId }) => rowId)).toEqual(rowIds.map((rowId) => sentId[rowId]));
	},
);

describe('the parts of a form', () => {
	const rows = (...ids: string[]) => new Map(ids.map((id) => [id, new Map([['3', `of ${id}`]])]));

	it('carry the files after the values, under the IDs of their rows', () => {
		const changes = { ...noChanges(), subtables: new Map([['1', rows('4', '-1', '-2')]]) };
		const files = [
			fileFor('9'),
			fileFor('8', '-2'),
			{ ...fileFor('8', '4'), subtableId: '1' },
			{ ...fileFor('8', '-1'), subtableId: '2' },
		];
		const sent = withSentRowIds({ changes, files });
		expect(formParts(sent).map(([name, value]) => [name, partText(value)])).toEqual([
			['3_4', 'of 4'],
			['3_-3', 'of -1'],
			['3_-2', 'of -2'],
			['9', '9 undefined'],
			['8_-2', '8 -2'],
			['8_4', '8 4'],
			['8_-1', '8 -1'],
		]);
	});

	it('name a file in an error, if several subtables have its row', () => {
		const subtables = new Map([
			['1', rows('-1')],
			['2', rows('-1')],
		]);
		const sending = () =>
			withSentRowIds({ changes: { ...noChanges(), subtables }, files: [fileFor('8', '-1')] });
		expect(sending).toThrow(
			expect.objectContaining({
				message: 'The file of 8_-1 may be for a row of several subtables: 1, 2',
				description: 'The service does not show to which of them the field belongs.',
				remedy: 'numberNewRows',
			}),
		);
	});
});

function partText(value: string | { name: string }): string {
	return typeof value === 'string' ? value : value.name;
}

describe('the content of an item that was read from a record', () => {
	const subtables = new Map([['1', new Map([['4', new Map([['3', 'a']])]])]]);
	const changes = { ...noChanges(), subtables };
	const idsIn = ({ changes: { subtables: made } }: RecordContent) => [
		...(made.get('1')?.keys() ?? []),
	];
	const content = contentWithoutKinds(changes);

	it.each<{ title: string; content: RecordContent; ids: string[] }>([
		{ title: 'an unknown record', content, ids: ['4'] },
		{ title: 'the same record', content: { ...content, sourceRecordId: '5' }, ids: ['4'] },
		{ title: 'another record', content: { ...content, sourceRecordId: '6' }, ids: ['-1'] },
		{
			title: 'another record, with a row that the user entered',
			content: {
				...content,
				sourceRecordId: '6',
				enteredRows: new Set([rowPlace('1', '4')]),
			},
			ids: ['4'],
		},
	])('has the row IDs $ids for record 5, if it is of $title', ({ content: read, ids }) => {
		expect(idsIn(contentFor('5', read))).toEqual(ids);
	});
});

it.each<[NoteReason, boolean]>([
	['longNumber', true],
	['noChoice', true],
	['noSwitch', true],
	['objectText', true],
	['unusedChoice', true],
	['masked', false],
	['notKept', false],
])('a note %s is on a value that is sent: %s', (reason, isSent) => {
	expect(isSentNote(reason)).toBe(isSent);
});

it.each<{ title: string; place: Partial<FilePlace>; values: string }>([
	{ title: 'the record', place: {}, values: 'of the record' },
	{ title: 'a row', place: { subtableId: '1', rowId: '4' }, values: 'of the row' },
	{ title: 'a row of an unknown subtable', place: { rowId: '4' }, values: 'of the record' },
	{ title: 'a subtable without a row', place: { subtableId: '1' }, values: 'of the record' },
])('the values at a place are those of $title', ({ place, values: expected }) => {
	const fields = new Map<string, FieldValue>([['3', 'of the record']]);
	const row = new Map<string, FieldValue>([['3', 'of the row']]);
	const subtables = new Map([['1', new Map([['4', row]])]]);
	expect(valuesAt({ ...noChanges(), fields, subtables }, place).get('3')).toBe(expected);
});

it.each<[string, Partial<RecordChanges>, boolean]>([
	['nothing', {}, true],
	['a field', { fields: new Map([['3', 'a']]) }, false],
	['a row', { subtables: new Map([['1', new Map()]]) }, false],
	['a row to delete', { deletedRows: new Map([['1', ['4']]]) }, false],
])('changes with %s: %j, are empty: %s', (_, part, expected) => {
	expect(isEmpty({ ...noChanges(), ...part })).toBe(expected);
});
