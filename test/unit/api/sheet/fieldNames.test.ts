import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import { ItemKeys, knownNames, withFieldNames } from '../../../../nodes/api/sheet/fieldNames';
import { nameOf, type Field } from '../../../../nodes/api/sheet/fields';
import { runs } from '../../../amount';

const object = (members: Record<string, JsonValue>): JsonObject => new Map(Object.entries(members));

const listed = fc
	.uniqueArray(
		fc.record(
			{
				fieldId: fc.constantFrom('71', '72', '73', '74'),
				name: fc.constantFrom('1', '12', '', 'A', 'B', '_recordId', '_title', 'Untitled'),
				readName: fc.constantFrom('1', '2', '', 'A', 'A2', '_recordId', '_title', 'Untitled'),
			},
			{ requiredKeys: ['fieldId', 'name'] },
		),
		{ selector: ({ fieldId }) => fieldId },
	)
	.filter((list) => {
		// A read gives no name twice.
		const names = list.map(({ name, readName = name }) => readName);
		const isMadeUp = ({ name, readName = '' }: Field) => name !== '' || !/^[A_]/.test(readName);
		return new Set(names).size === names.length && list.every(isMadeUp);
	});

it('no value is lost, whatever the fields are called, and reads by IDs and by names have the same keys', async () => {
	await fc.assert(
		fc.asyncProperty(listed, async (list) => {
			const members: Array<[string, JsonValue]> = [['_star', true]];
			const byId = new Map([...members, ...list.map(({ fieldId }) => [fieldId, fieldId] as const)]);
			const byName = new Map([
				...members,
				...list.map(({ fieldId, name, readName = name }) => [readName, fieldId] as const),
			]);
			const known = list.map((field) => ({ ...field, readName: field.readName ?? field.name }));
			const names = withFieldNames(byId, knownNames(known), new Set());
			const keys = new ItemKeys();
			const read = simplifiedRecord({ id: '5', content: byName }, keys);
			const [item = {}] = await keys.withOutputKeys([read], {
				load: async () => new FieldIndex({ fields: known }),
				renewedIf: async (_isOutdated, derive) => await derive(),
			});
			const expected = [
				...[['_recordId', 5] as const, ['_starred', true] as const],
				...known.map((field) => [nameOf(field), field.fieldId]),
			];
			expect(Object.entries(item)).toEqual(expect.arrayContaining(expected));
			expect(Object.keys(item)).toHaveLength(list.length + 2);
			expect(simplifiedRecord({ id: '5', content: names })).toEqual(item);
		}),
		{ numRuns: runs(300), seed: 18 },
	);
});

it('an item whose fields are not listed keeps the names of the service, with a warning', async () => {
	const keys = new ItemKeys();
	const row = object({ 7: object({ 1: 'x' }) });
	const content = object({ 2: 'a', City: 'Ulm', _subtable_2000001: row });
	const read = simplifiedRecord({ id: '5', content }, keys);
	const tell = async () => await Promise.reject(new Error('HTTP 503'));
	const [item] = await keys.withOutputKeys([read], {
		load: tell,
		renewedIf: async (_isOutdated, derive) => await derive(),
	});
	expect(item).toEqual({
		...{ _recordId: 5, 2: 'a', City: 'Ulm', _subtable_2000001: [{ _rowId: 7, 1: 'x' }] },
		_warning: expect.stringContaining("calls '2', '1'"),
	});
});
