import fc from 'fast-check';

import { noChanges } from '../../../../nodes/api/write/recordContent';
import type { RecordChanges } from '../../../../nodes/api/write/recordContent';
import { formParts, forNewRecord } from '../../../../nodes/api/write/recordContent';
import type { RecordFile } from '../../../../nodes/api/write/recordContent';

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** A file that is known by the field and the row that it was first for. */
const fileFor = (fieldId: string, rowId?: string, subtableId?: string): RecordFile => ({
	fieldId,
	...(rowId === undefined ? {} : { rowId }),
	...(subtableId === undefined ? {} : { subtableId }),
	file: { name: `${fieldId} ${rowId}`, type: '', size: 0, stream: () => noBytes() },
});

const rowIds = fc.uniqueArray(fc.integer({ min: -5, max: 9 }).map(String), { maxLength: 8 });

it('a new record has no rows yet: all ids of rows are new ones, each once, in their order, and files go along', () => {
	fc.assert(
		fc.property(rowIds, rowIds, rowIds, (first, second, ofFiles) => {
			const rows = (ids: string[]) => new Map(ids.map((id) => [id, new Map([['7', id]])]));
			const subtables = new Map([
				['1', rows(first)],
				['2', rows(second.filter((id) => !first.includes(id)))],
			]);
			const files = [fileFor('9'), ...ofFiles.map((id) => fileFor('8', id))];
			const made = forNewRecord({ changes: { ...noChanges(), subtables }, files });
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

it('rows of two subtables that have the same id become two new rows, each with its files', () => {
	const rows = (text: string) => new Map([['7', new Map([['3', text]])]]);
	const subtables = new Map([
		['1', rows('of 1')],
		['2', rows('of 2')],
	]);
	const changes = { ...noChanges(), subtables };
	const files = [fileFor('8', '7', '2'), fileFor('9', '7', '1'), fileFor('6', '7', '4')];
	const made = forNewRecord({ changes, files });
	expect([...made.changes.subtables].map(([id, byId]) => [id, ...byId.keys()])).toEqual([
		['1', '-1'],
		['2', '-2'],
	]);
	expect(made.files.map(({ rowId }) => rowId)).toEqual(['-2', '-1', '-3']);
	expect(() => forNewRecord({ changes, files: [fileFor('8', '7')] })).toThrow(/8_7 .* 1, 2/);
	const one = { ...noChanges(), subtables: new Map([['2', rows('of 2')]]) };
	expect(forNewRecord({ changes: one, files: [fileFor('8', '7')] }).files[0]?.rowId).toBe('-1');
});

it('a form has each file as the part of its field, with the id of its row behind it', () => {
	const files = [fileFor('9'), fileFor('8', '-1'), fileFor('8', '-1'), fileFor('8', '17')];
	const changes = {
		...noChanges(),
		subtables: new Map([['1', new Map([['-1', new Map([['7', 'x']])]])]]),
	};
	expect(formParts({ changes, files })).toEqual([
		['7_-1', 'x'],
		['9', files[0]?.file],
		['8_-1', files[1]?.file],
		['8_-1', files[2]?.file],
		['8_17', files[3]?.file],
	]);
});
