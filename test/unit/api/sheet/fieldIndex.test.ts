import fc from 'fast-check';
import {
	FieldIndex,
	needsNames,
	scopeOf,
	type FieldScope,
} from '../../../../nodes/api/sheet/fieldIndex';
import { isSurelyFieldId, nameOf, type Field } from '../../../../nodes/api/sheet/fields';
import { kindNamed } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { InputError } from '../../../../nodes/api/values/inputError';
import { runs } from '../../../amount';

const fields: Field[] = [
	{ fieldId: '1000001', name: 'City' },
	{ fieldId: '1000002', name: 'Note', readName: 'Note' },
	{ fieldId: '1000003', name: 'Note', readName: 'Note2' },
	{ fieldId: '1000004', name: '', readName: '4' },
	{ fieldId: '1000005', name: 'Rate (1000001)' },
	{ fieldId: '1000006', name: '1000001' },
	{ fieldId: '1000007', name: ' Padded ' },
	{ fieldId: '1000008', name: 'A, B' },
	{ fieldId: '3000001', name: 'City', subtableId: '2000001' },
	{ fieldId: '3000002', name: 'Photo', subtableId: '2000001' },
	{ fieldId: '3000003', name: 'Photo', subtableId: '2000002' },
];
const index = new FieldIndex({ fields });

/** Returns the IDs of the fields that a key stands for, or `unknown`. */
function meaning(key: string, scope: FieldScope, of = index): string {
	const result = of.resolve(key, scope);
	if (result.kind === 'found') return result.field.fieldId;
	return result.kind === 'several' ? result.fields.map(({ fieldId }) => fieldId).join() : 'unknown';
}

it.each<{ rule: string; key: string; scope?: FieldScope; is: string }>([
	{ rule: '1, an ID before a name', key: ' 1000001 ', is: '1000001' },
	{ rule: '2, a name before the ID in it', key: 'Rate (1000001)', is: '1000005' },
	{ rule: '2, a name with white space', key: ' Padded ', is: '1000007' },
	{ rule: '2, a name of two fields before an output key', key: 'Note', is: '1000002,1000003' },
	{ rule: '3, a system field', key: 'Create Date', scope: 'recordOrSystem', is: '105' },
	{ rule: '3, a system field with its ID', key: 'Create Date (105)', is: '105' },
	{ rule: '3, no system field in rows', key: 'Create Date', scope: 'rows', is: 'unknown' },
	{ rule: '4, a key in reads', key: 'Note2', is: '1000003' },
	{ rule: '4, the output key of a field without a name', key: 'Untitled (1000004)', is: '1000004' },
	{ rule: '5, an ID after another name', key: 'Town (1000001)', is: '1000001' },
	{ rule: '6, an ID that is not listed', key: '9', is: '9' },
	{ rule: '6, a certain ID after a name', key: 'Town (1000099)', is: '1000099' },
	{ rule: '6, no short number after a name', key: 'Town (99)', is: 'unknown' },
	{ rule: 'white space that is not of the name', key: ' City', is: 'unknown' },
	{ rule: 'another letter case', key: 'city', is: 'unknown' },
])('by rule $rule, "$key" stands for $is', ({ key, scope = 'recordOrSystem', is }) => {
	expect(meaning(key, scope)).toBe(is);
});

it.each<{ scope: FieldScope; is: string }>([
	{ scope: 'record', is: '1000001' },
	{ scope: 'rows', is: '3000001' },
	{ scope: 'anywhere', is: '1000001,3000001' },
	{ scope: { subtableId: '2000001' }, is: '3000001' },
	{ scope: { subtableId: '2000002' }, is: 'unknown' },
])('a name stands for the fields of its scope: $scope', ({ scope, is }) => {
	expect(meaning('City', scope)).toBe(is);
});

it('an unknown key comes with similar names of its scope', () => {
	const near = (key: string, scope: FieldScope) => {
		const result = index.resolve(key, scope);
		return result.kind === 'unknown' ? result.near() : undefined;
	};
	expect(near('Citty', 'record')).toEqual(['City']);
	expect(near('Phto', 'record')).toEqual([]);
	expect(near('Phto', 'rows')).toEqual(['Photo']);
});

it('an unlisted ID in a subtable belongs to the subtable', () => {
	const result = index.resolve('3000099', { subtableId: '2000001' });
	const field = { fieldId: '3000099', name: '3000099', subtableId: '2000001' };
	expect(result).toEqual({ kind: 'found', field });
});

it('a required field is an error if it is unknown or ambiguous', () => {
	expect(index.require('City', 'record').fieldId).toBe('1000001');
	expect(() => index.require('Note', 'record')).toThrow(InputError);
	expect(() => index.require('Photo', 'record')).toThrow(
		'The subtables 2000001 and 2000002 have this field',
	);
});

it.each([
	{ key: 'Note', is: '1000002' },
	{ key: 'Note2', is: '1000003' },
	{ key: '4', is: '1000004' },
	{ key: 'Untitled (1000004)', is: '1000004' },
	{ key: 'City', is: '1000001' },
	{ key: '1000001', is: '1000006' },
	{ key: '1000002', is: undefined },
	{ key: 'Town', is: undefined },
])('the output key "$key" belongs to $is', ({ key, is }) => {
	expect(index.byOutputKey(key, 'record')?.fieldId).toBe(is);
});

it.each([
	{ fieldId: '1000001', readKey: 'City' },
	{ fieldId: '1000003', readKey: 'Note2' },
	{ fieldId: '1000004', readKey: '4' },
	{ fieldId: '3000001', readKey: 'City' },
])('the key of $fieldId in reads is $readKey', ({ fieldId, readKey }) => {
	expect(index.readKey(index.byId(fieldId) ?? { fieldId, name: '' })).toBe(readKey);
});

it.each<{ why: string; field: Field; rest?: Field[] }>([
	{
		why: 'two fields have its name',
		field: { fieldId: '1', name: 'A' },
		rest: [{ fieldId: '2', name: 'A' }],
	},
	{ why: 'it has no name', field: { fieldId: '1', name: '' } },
	{ why: 'only its ID is known', field: { fieldId: '1', name: '1' } },
])('the key of a field in reads is not known if $why', ({ field, rest = [] }) => {
	expect(new FieldIndex({ fields: [field, ...rest] }).readKey(field)).toBeUndefined();
});

it.each([
	{ id: '1000001', label: 'City' },
	{ id: ' 3000002 ', label: 'Photo' },
	{ id: '109', label: 'Last Update Date' },
	{ id: '1000004', label: 'Untitled (1000004)' },
	{ id: '7', label: '7' },
])('messages call the field $id "$label"', ({ id, label }) => {
	expect(index.labelOf(id)).toBe(label);
});

it('the kind of a field is the known one, or that of its type', () => {
	const kinds = new Map([['1', kindNamed('date')]]);
	const typed = new FieldIndex({ kinds });
	expect(typed.kindOf({ fieldId: '1', type: undefined }).name).toBe('date');
	expect(typed.kindOf({ fieldId: '2', type: 'number' }).name).toBe('number');
	expect(typed.kindOf({ fieldId: '2' }).name).toBe('unknown');
});

it.each<{ field: Partial<Field>; known: object | undefined }>([
	{ field: { type: 'money' }, known: { type: 'money', typeSource: 'schema' } },
	{
		field: { fieldId: '4', choices: ['a'] },
		known: { type: 'selection', typeSource: 'definition' },
	},
	// Choices alone do not show whether a record may hold several.
	{ field: { choices: ['a'] }, known: undefined },
	{ field: { fieldId: '2' }, known: { type: 'date', typeSource: 'records' } },
	{
		field: { fieldId: '3', choices: ['a'] },
		known: { type: 'multipleSelection', typeSource: 'records' },
	},
	{ field: {}, known: undefined },
])('the type of a field comes with its source: $known', ({ field, known }) => {
	const kinds = new Map([
		['2', kindNamed('date')],
		['3', kindNamed('multipleSelection')],
		['4', kindNamed('text')],
	]);
	expect(new FieldIndex({ kinds }).typeOf({ fieldId: '1', name: 'A', ...field })).toEqual(known);
});

it.each([
	{ entries: ['City'], keys: ['City'], needs: false },
	{ entries: ['City', 'A, B'], keys: ['City', 'A, B'], needs: false },
	{ entries: ['A, B'], keys: ['A, B'], needs: true },
	{ entries: ['City, Photo'], keys: ['City', 'Photo'], needs: true },
	{ entries: [' Padded '], keys: [' Padded '], needs: true },
	{ entries: [' City ', 'Photo'], keys: ['City', 'Photo'], needs: true },
	{ entries: ['City,,Photo'], keys: ['City', 'Photo'], needs: true },
])('the entries $entries name the fields $keys', ({ entries, keys, needs }) => {
	expect(index.keysIn(entries)).toEqual(keys);
	expect(needsNames(entries)).toBe(needs);
});

it('an index is complete if the service tells which fields are required', () => {
	expect(index.isComplete).toBe(false);
	expect(
		new FieldIndex({ fields: [{ fieldId: '1', name: 'A', required: false }] }).isComplete,
	).toBe(true);
	expect([index.isEmpty, new FieldIndex({}).isEmpty]).toEqual([false, true]);
});

describe('for any list of fields', () => {
	const names = fc.oneof(
		fc.constantFrom('A', 'B', ' A ', '', '12', '1000001', 'A (1000001)', '_recordId', 'Untitled'),
		fc.string({ maxLength: 3 }),
	);
	const ids = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1000000, max: 1000004 }));
	const lists = fc.uniqueArray(
		fc.record({
			fieldId: ids.map(String),
			name: names,
			subtableId: fc.option(fc.constantFrom('2000001', '2000002'), { nil: undefined }),
		}),
		{ selector: ({ fieldId }) => fieldId, maxLength: 8 },
	);

	/** Returns the fields with keys in reads, which number double and missing names. */
	function withReadNames(list: readonly Field[]): Field[] {
		const taken = new Set<string>();
		return list.map((field) => {
			const base = field.name === '' ? 'Untitled' : field.name;
			let readName = base;
			for (let number = 2; taken.has(`${field.subtableId} ${readName}`); number++) {
				readName = `${base}#${number}`;
			}
			taken.add(`${field.subtableId} ${readName}`);
			return { ...field, readName };
		});
	}

	it('a field is found by its ID, and by any text with its ID, unless the text is a name', () => {
		fc.assert(
			fc.property(lists, fc.string({ maxLength: 5 }), (list, text) => {
				const known = new FieldIndex({ fields: list });
				for (const { fieldId, subtableId } of list) {
					const scope = scopeOf(subtableId);
					expect(meaning(fieldId, scope, known)).toBe(fieldId);
					expect(meaning(`\t${fieldId} `, scope, known)).toBe(fieldId);
					const key = `${text} (${fieldId})`;
					const isOther = known.hasName(key, scope) || known.byOutputKey(key, scope);
					if (!isOther) expect(meaning(key, scope, known)).toBe(fieldId);
				}
			}),
			{ numRuns: runs(300) },
		);
	});

	it('a unique name that is no ID finds its field, by name, by ID and by its key in reads alike', () => {
		fc.assert(
			fc.property(lists, (list) => {
				const known = new FieldIndex({ fields: withReadNames(list) });
				for (const field of known.fields) {
					const scope = scopeOf(field.subtableId);
					const { name, readName = name } = field;
					const isId = (key: string) =>
						known.exactly(key.trim(), scope).some((other) => other.fieldId === key.trim());
					const sameName = known.fieldsOf(scope).filter((other) => other.name === name);
					if (sameName.length === 1 && !isId(name)) expect(known.require(name, scope)).toBe(field);
					if (sameName.length > 1 && !isId(name)) {
						expect(known.resolve(name, scope).kind).toBe('several');
					}
					if (known.byOutputKey(readName, scope)) {
						expect(known.byOutputKey(readName, scope)).toBe(field);
					}
				}
			}),
			{ numRuns: runs(300) },
		);
	});

	it('the result does not depend on the order of the list', () => {
		fc.assert(
			fc.property(lists, names, (list, key) => {
				for (const scope of ['record', 'rows', 'anywhere', 'recordOrSystem'] as const) {
					const sorted = (of: readonly Field[]) =>
						new FieldIndex({ fields: of })
							.listed(key, scope)
							.map(({ fieldId }) => fieldId)
							.sort();
					expect(sorted([...list].reverse())).toEqual(sorted(list));
				}
			}),
			{ numRuns: runs(300) },
		);
	});

	it('a key that finds an unlisted field is an ID', () => {
		fc.assert(
			fc.property(lists, fc.oneof(names, ids.map(String)), (list, key) => {
				const known = new FieldIndex({ fields: list });
				const result = known.resolve(key, 'record');
				if (result.kind !== 'found' || list.some((field) => field === result.field)) return;
				const { fieldId, name } = result.field;
				expect(name).toBe(fieldId);
				expect(fieldId === key.trim() || isSurelyFieldId(fieldId) || list.length === 0).toBe(true);
			}),
			{ numRuns: runs(300) },
		);
	});

	it('the output key of a field finds it again, if no other field has the key', () => {
		fc.assert(
			fc.property(lists, (list) => {
				const known = new FieldIndex({ fields: withReadNames(list) });
				for (const field of known.fields) {
					const key = known.outputKey(field);
					expect(key).toBe(nameOf(field));
					const found = known.byOutputKey(key, scopeOf(field.subtableId));
					if (found) expect(found).toBe(field);
				}
			}),
			{ numRuns: runs(300) },
		);
	});
});

it('a key that is the output key of one field and the key in reads of another stands for no field', () => {
	const ofBoth = new FieldIndex({
		fields: [
			{ fieldId: '1000001', name: 'Note', readName: 'Note2' },
			{ fieldId: '1000002', name: 'Note2' },
		],
	});
	expect(ofBoth.byOutputKey('Note2', 'record')).toBeUndefined();
});
