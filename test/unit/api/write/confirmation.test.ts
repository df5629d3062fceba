import { confirmUpdate } from '../../../../nodes/api/write/confirmation';
import type { RecordContent } from '../../../../nodes/api/write/recordContent';
import { FakeService } from '../http/fakeService';

const record = { sheet: { folders: ['sales'], sheetIndex: 1 }, recordId: '5' };
const file = (name: string) => ({
	name,
	type: 'text/plain',
	size: 0,
	stream: async function* () {},
});
const newRow = new Map([['1000021', 'new']]);
const content: RecordContent = {
	changes: {
		fields: new Map([['1000001', 'x']]),
		subtables: new Map([
			[
				'20',
				new Map([
					['3', new Map([['1000021', 'y']])],
					['-1', newRow],
					['-2', newRow],
				]),
			],
		]),
		deletedRows: new Map([['20', ['7']]]),
	},
	files: [
		{ fieldId: '1000009', file: file('a.txt') },
		{ fieldId: '1000029', rowId: '3', subtableId: '20', file: file('b.txt') },
	],
	kinds: new Map(),
};

const rows = {
	3: { 1000021: 'y', 1000029: ['', 'k1@b.txt'] },
	4: { 1000021: 'new' },
	5: { 1000021: 'new' },
};
const saved = { 1000001: 'x', 1000009: ['k0@old.txt', 'k2@a.txt'], _subtable_20: rows };

async function isConfirmed(stored: object | undefined): Promise<boolean> {
	const service = new FakeService(() => ({ body: stored === undefined ? {} : { 5: stored } }));
	const words = { words: 'Field id 7 not found', isShifted: false };
	return await confirmUpdate(await service.connect(), record, content, words).then(
		() => true,
		(error: unknown) => {
			expect(error).toMatchObject({ kind: 'unconfirmed', details: { isDoubtful: true } });
			return false;
		},
	);
}

it('a record with all that was sent confirms the write', async () => {
	expect(await isConfirmed(saved)).toBe(true);
});

it.each<[what: string, stored: object | undefined]>([
	['the record', undefined],
	['a value', { ...saved, 1000001: '' }],
	['a file', { ...saved, 1000009: 'k0@old.txt' }],
	['all rows', { ...saved, _subtable_20: {} }],
	['a changed row', { ...saved, _subtable_20: { ...rows, 3: undefined, 6: rows[3] } }],
	['a value of a row', { ...saved, _subtable_20: { ...rows, 3: { ...rows[3], 1000021: '' } } }],
	['one of two equal new rows', { ...saved, _subtable_20: { ...rows, 5: undefined } }],
	['the file of a row', { ...saved, _subtable_20: { ...rows, 3: { 1000021: 'y' } } }],
	['the deletion of a row', { ...saved, _subtable_20: { ...rows, 7: { 1000021: 'z' } } }],
])('a record without %s does not confirm the write', async (_what, stored) => {
	expect(await isConfirmed(stored)).toBe(false);
});
