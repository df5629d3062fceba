import {
	conflictingListOf,
	isNodeCondition,
	nodeOperators,
	parseWhereLine,
	selectionParts,
	whereOperators,
	whereParameter,
	whereParts,
} from '../../../../nodes/api/read/query';
import { InputError } from '../../../../nodes/api/values/inputError';

it('the operators of the service and of the node are known', () => {
	expect(whereOperators).toEqual(['eq', 'regex', 'gte', 'lte', 'gt', 'lt', 'like', 'eqeq']);
	expect(nodeOperators).toEqual(['ne', 'notEmpty']);
});

it.each([
	{ operator: 'ne', isOfNode: true },
	{ operator: 'eq', isOfNode: false },
	{ operator: '', isOfNode: false },
])('the node evaluates a condition with "$operator" itself: $isOfNode', (row) => {
	const condition = { fieldId: '1000004', operator: row.operator, value: 'a' };
	expect(isNodeCondition(condition)).toBe(row.isOfNode);
});

it.each([
	{ line: '1000004,eq,Open', fieldId: '1000004', operator: 'eq', value: 'Open' },
	{ line: ' 1000004 , eq , Open ', fieldId: '1000004', operator: 'eq', value: ' Open ' },
	{ line: '1000004,eq,a,b,', fieldId: '1000004', operator: 'eq', value: 'a,b,' },
	{ line: '1000004,eq,a\nb', fieldId: '1000004', operator: 'eq', value: 'a\nb' },
	{ line: '1000004,eq,', fieldId: '1000004', operator: 'eq', value: '' },
	{ line: '1000004,,a', fieldId: '1000004', operator: '', value: 'a' },
])('the condition $line is parsed', ({ line, ...condition }) => {
	expect(parseWhereLine(line)).toEqual(condition);
});

it.each(['', '1000004', '1000004,eq', ',eq,Open', ',eq,Open,1'])(
	'%j is not a condition',
	(line) => {
		expect(parseWhereLine(line)).toBeUndefined();
	},
);

it('the field and the operator of a condition are encoded, too', () => {
	expect(whereParameter({ fieldId: 'a&b', operator: 'c,d', value: 'é%2' })).toBe(
		'where=a%26b,c%2Cd,%C3%A9%252',
	);
});

it('an unpaired surrogate in a condition is rejected', () => {
	const condition = { fieldId: '1000004', operator: 'eq', value: 'a\ud83d' };
	expect(() => whereParameter(condition)).toThrow(InputError);
});

it('conditions stay in one part, however long they are', () => {
	const condition = { fieldId: '1000004', operator: 'eq', value: 'Open' };
	const where = [condition, { ...condition, value: 'x'.repeat(50) }];
	expect(selectionParts({ kind: 'filters', where }, 10)).toEqual([
		{ query: ['where=1000004,eq,Open', `where=1000004,eq,${'x'.repeat(50)}`] },
	]);
});

it('record IDs are split at the maximum length of a part, and each ID occurs once', () => {
	const recordIds = ['11', '12', '11', '13'];
	const parts = selectionParts({ kind: 'records', recordIds }, 2 * '&recordId=11'.length);
	expect(parts).toEqual([
		{ query: ['recordId=11', 'recordId=12'], recordIds: ['11', '12'] },
		{ query: ['recordId=13'], recordIds: ['13'] },
	]);
});

describe('the room of a request', () => {
	const value = (text: string) => ({ fieldId: '1000004', operator: 'eq', value: text });
	const list = ['a', 'b', 'c'].map((text) => ({ ...value(text), isOneOf: true as const }));
	const other = { ...value('d'), fieldId: '1000005' };
	const lengthOf = (condition: typeof other) => whereParameter(condition).length + 1;
	const room = [other, ...list].reduce((sum, condition) => sum + lengthOf(condition), 0);

	it('a list that just fits is sent in one request, and is divided if it is longer by one', () => {
		const where = [other, ...list];
		expect(whereParts(where, room)).toEqual([where]);
		expect(whereParts([...list, other], room)).toEqual([[...list, other]]);
		expect(whereParts(where, room - 1)).toEqual([
			[other, ...list.slice(0, 2)],
			[other, ...list.slice(2)],
		]);
	});

	it('of two lists, the longer one is divided, whichever comes first', () => {
		const short = ['d', 'e'].map((text) => ({
			...value(text),
			fieldId: '1000005',
			isOneOf: true as const,
		}));
		const total = [...list, ...short].reduce((sum, condition) => sum + lengthOf(condition), 0);
		for (const where of [
			[...list, ...short],
			[...short, ...list],
		]) {
			expect(whereParts(where, total - 1)).toEqual([
				[...short, ...list.slice(0, 2)],
				[...short, ...list.slice(2)],
			]);
		}
	});

	it('conditions without a list stay in one request, however long they are', () => {
		expect(whereParts([other, other], 1)).toEqual([[other, other]]);
		expect(whereParts([], 0)).toEqual([[]]);
	});

	it('each value of the divided list must fit, also if the others do', () => {
		const long = { ...value('x'.repeat(100)), isOneOf: true as const };
		const error = () => whereParts([other, ...list, long], room);
		expect(error).toThrow(InputError);
		expect(error).toThrow(
			expect.objectContaining({ description: expect.stringMatching(/Shorten the values/) }),
		);
	});

	it('a single value must fit beside the other conditions', () => {
		const least = lengthOf(other) + lengthOf(value('a'));
		expect(whereParts([other, ...list], least)).toEqual(list.map((listed) => [other, listed]));
		expect(() => whereParts([other, ...list], least - 1)).toThrow('too long for one request');
	});
});

describe('a field with a list of values and another condition', () => {
	const list = { fieldId: '1', operator: 'eq', value: 'a', isOneOf: true as const };
	const other = { fieldId: '1', operator: 'eq', value: 'b' };

	it.each(['eq', 'like', 'regex', 'eqeq'])('%s is an alternative, which conflicts', (operator) => {
		expect(conflictingListOf([{ ...other, operator }, list])).toBe('1');
		expect(conflictingListOf([list, { ...other, operator }])).toBe('1');
	});

	it.each(['ne', 'gt', 'gte', 'lt', 'lte', 'notEmpty'])(
		'%s is a further condition, which does not conflict',
		(operator) => {
			expect(conflictingListOf([list, { ...other, operator }])).toBeUndefined();
		},
	);

	it('a list, another list, and a condition on another field do not conflict', () => {
		const ofAnother = { ...other, fieldId: '2' };
		expect(conflictingListOf([list, { ...list, value: 'c' }])).toBeUndefined();
		expect(conflictingListOf([list, { ...list, fieldId: '2' }, { ...other, fieldId: '3' }])).toBe(
			undefined,
		);
		expect(conflictingListOf([list, ofAnother])).toBeUndefined();
		expect(conflictingListOf([other, ofAnother])).toBeUndefined();
		expect(conflictingListOf([])).toBeUndefined();
	});
});
