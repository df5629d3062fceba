import fc from 'fast-check';
import {
	contentWithoutKinds,
	formParts,
	forNewRecord,
	jsonBody,
	noChanges,
	type FieldValue,
	type RecordChanges,
	type RecordFile,
	withSentRowIds,
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
