import { isJsonObject, parseOrderedJson } from '../../../nodes/api/json/orderedJson';
import { fieldChanges, fieldStates, parseFieldStates } from '../../../nodes/shared/watchedFields';

const keys = ['Status', 'City'];
const statesOf = (members: Record<string, string>) =>
	fieldStates(new Map(Object.entries(members)), keys);

describe('the states of watched fields', () => {
	it('a record that lacks some of the watched fields has states, with empty values for them', () => {
		expect(statesOf({ Status: 'Open' })).toEqual({ Status: '"Open"', City: '' });
	});

	it('a record that has none of the watched fields has no states', () => {
		expect(statesOf({ Remark: 'x' })).toBeUndefined();
	});
});

describe('the state of one value', () => {
	const stateOf = (json: string, count = 1) => {
		const content = parseOrderedJson(json);
		if (!isJsonObject(content)) throw new Error('No record');
		const others = Array.from({ length: count - 1 }, (_, index) => `other${index}`);
		return fieldStates(content, ['a', ...others])?.a;
	};
	const digest = expect.stringMatching(/^#[^#]{6}$/);
	const text = (length: number) => `{"a":"${'x'.repeat(length - 2)}"}`;

	it.each(['{"a":""}', '{"a":null}', '{"a":[]}'])('%s is empty', (json) => {
		expect(stateOf(json)).toBe('');
	});

	it.each(['0', 'false', '"x"', '["x"]', '[""]'])('%s is stored as JSON', (json) => {
		expect(stateOf(`{"a":${json}}`)).toBe(json);
	});

	it('an object is empty only in a subtable, and if it has no rows', () => {
		const stateOfKey = (key: string, json: string) => {
			const value = parseOrderedJson(json);
			return fieldStates(new Map([[key, value]]), [key])?.[key];
		};
		for (const json of ['{}', '{"_count":0}']) {
			expect([json, stateOfKey('_subtable_1', json)]).toEqual([json, '']);
			expect([json, stateOfKey('a', json)]).toEqual([json, digest]);
		}
		expect(stateOfKey('_subtable_1', '{"7":{}}')).toEqual(digest);
	});

	it('up to 200 characters are stored as JSON, divided among the fields', () => {
		expect([stateOf(text(200)), stateOf(text(201))]).toEqual([
			expect.stringMatching(/^"x+"$/),
			digest,
		]);
		expect([stateOf(text(66), 3), stateOf(text(67), 3)]).toEqual([
			...[expect.stringMatching(/^"x+"$/), digest],
		]);
	});

	it('rows are stored as a digest, which ignores what changes by itself', () => {
		const rows = (members: string) => `{"a":{"7":{"1000021":"x"${members}}}}`;
		const plain = stateOf(rows(''));
		expect(plain).toEqual(digest);
		expect(stateOf(rows(',"_seq":1'))).toBe(plain);
		expect(stateOf(rows(',"1000022":"y"'))).not.toBe(plain);
	});

	it('a subtable without rows counts as present', () => {
		expect(fieldStates(new Map(), ['_subtable_2', 'City'])).toEqual({ _subtable_2: '', City: '' });
	});
});

describe('stored states', () => {
	it.each([{}, { City: '' }, { City: '"Ulm"', Total: '5', Tags: '["a"]' }, { City: '#Ab12_-' }])(
		'%j are read',
		(stored) => {
			expect(parseFieldStates(stored)).toEqual(stored);
		},
	);

	it.each([
		...[undefined, null, 'text', 5, { City: 5 }, { City: '"Ulm"', Total: 5 }],
		...[{ City: 'Ulm' }, { City: '"Ulm"', Total: 'half' }, { City: 'Ulm#' }],
	])('%j are damaged', (stored) => {
		expect(parseFieldStates(stored)).toBeUndefined();
	});
});

describe('the changed watched fields', () => {
	const open = statesOf({ Status: 'Open', City: 'Ulm' });
	const shipped = statesOf({ Status: 'Shipped', City: 'Ulm' });

	it('the changed fields are those whose values differ, with the previous values', () => {
		expect(fieldChanges(keys, open, shipped)).toEqual({
			changed: ['Status'],
			previous: new Map([['Status', 'Open']]),
		});
	});

	it('all fields count as changed if the previous values are unknown', () => {
		expect(fieldChanges(keys, undefined, shipped).changed).toEqual(keys);
	});

	it('only the reported fields count as changed if the previous values are unknown', () => {
		expect(fieldChanges(keys, undefined, shipped, ['City']).changed).toEqual(['City']);
	});

	it('a subtable counts as changed if its previous rows are unknown, because only fields are reported', () => {
		const watched = ['Status', '_subtable_2000001'];
		expect(fieldChanges(watched, undefined, shipped, ['City']).changed).toEqual([watched[1]]);
		const rows = { _subtable_2000001: '#rows' };
		expect(fieldChanges(watched, rows, rows, ['City']).changed).toEqual([]);
	});

	it('a reported field counts as changed although its value is the same', () => {
		expect(fieldChanges(keys, open, open, ['City'])).toEqual({
			changed: ['City'],
			previous: new Map([['City', 'Ulm']]),
		});
	});

	describe('if one of two states is a digest, because the number of watched fields has changed', () => {
		const long = 'x'.repeat(90);
		const record = new Map([['City', long]]);
		const asJson = fieldStates(record, ['City']);
		const asDigest = fieldStates(record, ['City', 'Status', 'Remark']);
		const other = fieldStates(new Map([['City', `${long}y`]]), ['City']);

		it('the same value is no change', () => {
			expect(asJson?.City).toBe(JSON.stringify(long));
			expect(asDigest?.City).toMatch(/^#/);
			expect(fieldChanges(['City'], asJson, asDigest).changed).toEqual([]);
			expect(fieldChanges(['City'], asDigest, asJson).changed).toEqual([]);
		});

		it('another value is a change, and a digest tells no previous value', () => {
			const previous = new Map([['City', `${long}y`]]);
			expect(fieldChanges(['City'], other, asDigest)).toEqual({ changed: ['City'], previous });
			expect(fieldChanges(['City'], asDigest, other)).toEqual({
				...{ changed: ['City'], previous: new Map() },
			});
		});

		it('an emptied field is a change', () => {
			const empty = statesOf({ City: '', Status: 'Open' });
			expect(fieldChanges(['City'], asDigest, empty).changed).toEqual(['City']);
			expect(fieldChanges(['City'], empty, asDigest)).toEqual({
				...{ changed: ['City'], previous: new Map([['City', '']]) },
			});
		});
	});
});

it.each([
	['counts as changed, also if it is empty now', undefined, ['new']],
	['counts as unchanged if the delivery does not report it', [], []],
])('a field whose previous state is unknown %s', (_, reported, changed) => {
	const before = { known: '"1"' };
	for (const state of ['', '"2"']) {
		const now = { ...before, new: state };
		expect(fieldChanges(['known', 'new'], before, now, reported).changed).toEqual(changed);
	}
});
