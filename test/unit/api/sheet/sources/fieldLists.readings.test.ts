import fc from 'fast-check';
import { fieldsOfReadings } from '../../../../../nodes/api/sheet/sources/fieldLists';
import { nameOf } from '../../../../../nodes/api/sheet/fields';
import { parseOrderedJson } from '../../../../../nodes/api/json/orderedJson';
import { runs } from '../../../../amount';

const readings = (byId: string, byName: string) =>
	fieldsOfReadings(parseOrderedJson(byId), parseOrderedJson(byName));
const namesOf = (byId: string, byName: string) =>
	readings(byId, byName)?.fields.map(({ fieldId, readName = fieldId }) => [fieldId, readName]);

/** An object's text with its members in the given order. */
const object = (members: ReadonlyArray<readonly [string, string]>) =>
	`{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`;

describe('a pair of readings', () => {
	it('two reads of the same records give each field its name by the order of the keys', () => {
		const fields = fc.uniqueArray(
			fc.tuple(
				fc.nat({ max: 9_999_999 }).map(String),
				fc.string({ minLength: 1 }).filter((name) => !name.startsWith('_')),
			),
			{ minLength: 1, comparator: (one, other) => one[0] === other[0] || one[1] === other[1] },
		);
		fc.assert(
			fc.property(fields, (list) => {
				const byId = object(list.map(([fieldId]) => [fieldId, '"v"']));
				const byName = object(list.map(([, name]) => [name, '"v"']));
				expect(namesOf(`{"7":${byId}}`, `{"7":${byName}}`)).toEqual(list);
			}),
		);
	});

	it('two reads give no uncertain name if the record changed between them', () => {
		const values = fc.constantFrom('"a"', '"b"', '""', '1', '["a"]');
		const places = fc.array(values, { minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(places, places, (first, second) => {
				const byId = object(first.map((value, index) => [`${1000001 + index}`, value]));
				const byName = object(second.map((value, index) => [`Name ${index}`, value]));
				const isSame = first.join() === second.join();
				const fields = first.map((_, index) => {
					const fieldId = `${1000001 + index}`;
					return [fieldId, isSame ? `Name ${index}` : fieldId];
				});
				expect(namesOf(`{"7":${byId}}`, `{"7":${byName}}`)).toEqual(fields);
			}),
			{ numRuns: runs(500) },
		);
	});

	it.each([
		{
			content: 'names that look like IDs',
			byId: '{"1":{"1000001":"a","1000002":"b"}}',
			byName: '{"1":{"2":"a","1":"b"}}',
			names: ['2', '1'],
		},
		{
			content: 'names that are IDs of other fields',
			byId: '{"1":{"1000001":"a","1000002":"b"}}',
			byName: '{"1":{"1000002":"a","1000001":"b"}}',
			names: ['1000002', '1000001'],
		},
		{
			content: 'keys that the service adds, and a name that begins like these keys',
			byId: '{"1":{"_star":true,"1000001":"a","1000002":"b","_svcId":1}}',
			byName: '{"1":{"_star":true,"_note":"a","City":"b","_svcId":1}}',
			names: ['_note', 'City'],
		},
		{
			content: 'records in another order',
			byId: '{"2":{"1000001":"a"},"1":{"1000002":"b"}}',
			byName: '{"1":{"City":"b"},"2":{"Number":"a"}}',
			names: ['Number', 'City'],
		},
		{
			content: 'a first record that only one of them has',
			byId: '{"1":{"1000001":"a"},"2":{"1000001":"b","1000002":"c"}}',
			byName: '{"2":{"Number":"b","City":"c"}}',
			names: ['Number', 'City'],
		},
		{
			content: 'a second record that changed between them',
			byId: '{"1":{"1000001":"a","1000002":"b"},"2":{"1000001":"c","1000002":"d"}}',
			byName: '{"1":{"Number":"a","City":"b"},"2":{"Number":"c","City":"e"}}',
			names: ['Number', 'City'],
		},
	])('two reads yield the names of both fields from $content', ({ byId, byName, names }) => {
		expect(namesOf(byId, byName)).toEqual([
			['1000001', names[0]],
			['1000002', names[1]],
		]);
	});

	it.each([
		{
			content: 'another record by name',
			byId: '{"1":{"1000001":"a"}}',
			byName: '{"2":{"Number":"a"}}',
		},
		{ content: 'something else by name', byId: '{"1":{"1000001":"a"}}', byName: '"x"' },
		{ content: 'null by ID and nothing by name', byId: '{"1":{"1000001":null}}', byName: '{}' },
		{
			content: 'one name for two fields',
			byId: '{"1":{"7":"a","8":"b"}}',
			byName: '{"1":{"Note":"a","Note":"b"}}',
		},
	])('two reads yield IDs without names for $content', ({ byId, byName }) => {
		const ids = readings(byId, byName)?.fields;
		expect(ids).not.toHaveLength(0);
		for (const { fieldId, name } of ids ?? []) expect(name).toBe(fieldId);
	});

	it('two reads distinguish names that the service generates from names of fields', () => {
		const ids = object([1, 2, 3, 4, 5].map((place) => [`100000${place}`, '"v"']));
		const names = object(['1', '2024', '', 'Untitled2', 'Note'].map((name) => [name, '"v"']));
		const list = readings(`{"7":${ids}}`, `{"7":${names}}`)?.fields ?? [];
		expect(list.map(({ name }) => name)).toEqual(['', '2024', '', '', 'Note']);
		const [numbered, year, blank] = list.map(nameOf);
		expect([numbered, year]).toEqual(['Untitled (1000001)', '2024 (1000002)']);
		expect(blank).toBe('Untitled (1000003)');
	});

	it.each([
		{ readName: '1', reason: 'the position of a field', isName: false },
		{ readName: '2', reason: 'the position of the last field', isName: false },
		{ readName: '3', reason: 'no position', isName: true },
		{ readName: 'Untitled', reason: 'the word for no name', isName: false },
		{ readName: 'Untitled12', reason: 'the word for no name with a number', isName: false },
		{ readName: 'Untitled draft', reason: 'a name with the word', isName: true },
		{ readName: 'Untitled2b', reason: 'a name with the word', isName: true },
		{ readName: 'My Untitled', reason: 'a name with the word', isName: true },
	])('the key "$readName" in a read of two fields is $reason', ({ readName, isName }) => {
		const byName = object([
			[readName, '"a"'],
			['City', '"b"'],
		]);
		const list = readings('{"7":{"1000001":"a","1000002":"b"}}', `{"7":${byName}}`);
		expect(list?.fields.map(({ name }) => name)).toEqual([isName ? readName : '', 'City']);
		expect(list?.fields[0]?.readName).toBe(readName);
	});

	it('two reads give the fields of rows their names by place, and list all subtables', () => {
		const byId =
			'{"7":{"1000001":"a","_subtable_5":{"1":{"1000001":"b"},"2":{"1000001":"c","1000002":"d"},"_count":2},"_subtable_6":{},"_subtable_61":{"3":{"1000009":"x"}}}}';
		const byName =
			'{"7":{"City":"a","_subtable_5":{"1":{"Item":"b"},"2":{"Item":"c","Price":"d"},"_count":2},"_subtable_6":{},"_subtable_61":{"3":{"1000009":"x"}}}}';
		const named = (fieldId: string, name: string, subtableId?: string) => {
			return { fieldId, name, readName: name, subtableId };
		};
		expect(readings(byId, byName)).toEqual({
			fields: [
				named('1000001', 'City'),
				named('1000001', 'Item', '5'),
				named('1000002', 'Price', '5'),
			],
			subtables: [{ subtableId: '5' }, { subtableId: '6' }],
		});
	});

	it('two reads name the fields of each row that did not change between them', () => {
		const values = fc.array(fc.constantFrom('"a"', '"b"'), { minLength: 1, maxLength: 6 });
		// Each row has a field of its own, so no other row tells its name.
		const rowsOf = (list: readonly string[], prefix: string) =>
			object(list.map((value, row) => [`${row + 1}`, object([[`${prefix}${row}`, value]])]));
		fc.assert(
			fc.property(values, values, (first, second) => {
				const byId = `{"7":{"_subtable_5":${rowsOf(first, '100000')}}}`;
				const byName = `{"7":{"_subtable_5":${rowsOf(second, 'Name ')}}}`;
				const expected = first.map((value, row) => {
					const fieldId = `100000${row}`;
					return [fieldId, value === second[row] ? `Name ${row}` : fieldId];
				});
				expect(namesOf(byId, byName)).toEqual(expected);
			}),
			{ numRuns: runs(200) },
		);
	});

	it.each([
		{ content: 'no record', reading: '{}' },
		{ content: 'a record without fields', reading: '{"7":{"_star":true,"_subtable_5":{}}}' },
		{ content: 'no records at all', reading: '"x"' },
	])('two reads with $content yield no list', ({ reading }) => {
		expect(readings(reading, reading)).toBeUndefined();
	});
});
