import fc from 'fast-check';
import { fieldsOfDefinition, fieldsOfSchema } from '../../../../nodes/api/schema/fieldLists';
import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { runs } from '../../../amount';

const schema = (value: unknown) => fieldsOfSchema(parseOrderedJson(JSON.stringify(value)));

describe('the schema', () => {
	it('the schema lists choices as texts or as objects', () => {
		const choicesOf = (options: unknown, key = 'options') =>
			schema({ fields: [{ fieldId: 7, [key]: options }] })?.fields[0]?.choices;
		expect(choicesOf(['Open', 'a, b', 5])).toEqual(['Open', 'a, b', '5']);
		const objects = [{ value: 'Open' }, { name: 'Shipped' }, {}];
		expect(choicesOf(objects, 'choices')).toEqual(['Open', 'Shipped']);
		for (const none of [[], 'Open', null, [{}]]) expect(choicesOf(none)).toBeUndefined();
	});

	it('the schema may say true in several words', () => {
		const isRequired = (required: unknown) =>
			schema({ fields: [{ fieldId: 7, required }] })?.fields[0]?.required;
		expect([true, 1, 'true', '1', 'Y'].every(isRequired)).toBe(true);
		expect([false, 0, 'false', '', null, undefined, 'N'].some(isRequired)).toBe(false);
	});
});

it('any JSON is read without an error, and yields fields with ids of digits or nothing', () => {
	const keys = fc.constantFrom(
		...['fields', 'subtables', 'fieldId', 'id', 'name', 'fid7', 'stid8', '1', 'options'],
	);
	const { json } = fc.letrec((tie) => ({
		json: fc.oneof(
			{ maxDepth: 5 },
			fc.constantFrom<unknown>(null, true, 7, '8', 'x'),
			fc.array(tie('json'), { maxLength: 3 }),
			fc.dictionary(keys, tie('json'), { maxKeys: 4 }),
		),
	}));
	fc.assert(
		fc.property(json, (value) => {
			for (const read of [fieldsOfSchema, fieldsOfDefinition]) {
				const list = read(parseOrderedJson(JSON.stringify({ fields: value, subtables: value })));
				expect(list === undefined || list.fields.length > 0).toBe(true);
				for (const { fieldId } of list?.fields ?? []) expect(fieldId).toMatch(/^\d+$/);
			}
		}),
		{ numRuns: runs(300, 3000) },
	);
});
