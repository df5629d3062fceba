import {
	changesOf,
	planCreation,
	planDeletion,
	planUpdate,
	type PlanRules,
} from '../../../../nodes/api/write/plan';
import { noChanges, type RecordContent } from '../../../../nodes/api/write/recordContent';
import type { JsonObject } from '../../../../nodes/api/json/orderedJson';

const always: PlanRules = { replacesFiles: false, skipsUnchanged: false };
const skipping: PlanRules = { replacesFiles: false, skipsUnchanged: true };
const replacing: PlanRules = { replacesFiles: true, skipsUnchanged: true };

const file = { name: 'a.txt', type: 'text/plain', size: 1, stream: async function* () {} };
const files = [{ fieldId: '9', file }] as unknown as RecordContent['files'];
const contentOf = (fields: Record<string, string>, more: Partial<RecordContent> = {}) => ({
	changes: { ...noChanges(), fields: new Map(Object.entries(fields)) },
	files: [],
	kinds: new Map(),
	...more,
});
const stored: JsonObject = new Map<string, string | JsonObject>([
	['_title', 'T'],
	['1', 'a'],
	['2', 'b'],
	['_subtable_5', new Map([['7', new Map([['6', 'x']])]])],
]);
const kindsOf = (content: RecordContent, rules: PlanRules, before?: JsonObject) =>
	planUpdate(content, rules, before).steps.map(({ what }) => what);

describe('the plan of an update', () => {
	interface Case {
		of: string;
		content: RecordContent;
		rules?: PlanRules;
		before?: JsonObject;
		steps: string[];
	}

	it.each<Case>([
		{ of: 'without the stored record', content: contentOf({ 1: 'a' }), steps: ['change'] },
		{ of: 'of nothing', content: contentOf({}), before: stored, steps: [] },
		{ of: 'of equal values', content: contentOf({ 1: 'a' }), before: stored, steps: ['change'] },
		{
			...{ of: 'of equal values that are skipped', content: contentOf({ 1: 'a' }) },
			...{ rules: skipping, before: stored, steps: [] },
		},
		{
			...{ of: 'of a differing value', content: contentOf({ 1: 'a', 2: 'c' }) },
			...{ rules: skipping, before: stored, steps: ['change'] },
		},
		{
			...{ of: 'of a file', content: contentOf({}, { files }) },
			...{ rules: skipping, before: stored, steps: ['change'] },
		},
		{
			...{ of: 'that replaces files', content: contentOf({}, { files }) },
			...{ rules: replacing, before: stored, steps: ['emptyFiles', 'change'] },
		},
		{
			...{ of: 'that replaces files, without a file', content: contentOf({ 1: 'a' }) },
			...{ rules: replacing, steps: ['change'] },
		},
	])('$of has the steps $steps', ({ content, rules = always, before, steps }) => {
		expect(kindsOf(content, rules, before)).toEqual(steps);
	});

	it('sends all values, also equal ones, and names the changed fields', () => {
		const plan = planUpdate(contentOf({ 1: 'a', 2: 'c' }), skipping, stored);
		const [step] = plan.steps;
		expect(step).toHaveProperty(
			'content.changes.fields',
			new Map(Object.entries({ 1: 'a', 2: 'c' })),
		);
		expect(plan.changed).toEqual(['2']);
		expect(plan.difference.fields).toEqual(new Map([['2', 'c']]));
	});

	it('leaves out rows to delete that the record does not have, unless nothing else differs', () => {
		const deletedRows = new Map([['5', ['7', '8']]]);
		const [step] = planUpdate(
			{ changes: { ...noChanges(), deletedRows }, files: [], kinds: new Map() },
			skipping,
			stored,
		).steps;
		expect(step).toHaveProperty('content.changes.deletedRows', new Map([['5', ['7']]]));
		const absent = { ...noChanges(), deletedRows: new Map([['5', ['8']]]) };
		const [change] = planUpdate(
			{ changes: absent, files: [], kinds: new Map() },
			always,
			stored,
		).steps;
		expect(change).toHaveProperty('content.changes.deletedRows', absent.deletedRows);
	});

	it.each([
		{ rowId: '7', subtableId: '5', isLost: true },
		{ rowId: '8', subtableId: '5', isLost: false },
		{ rowId: '7', subtableId: '6', isLost: false },
		{ rowId: undefined, subtableId: undefined, isLost: false },
	])('refuses a file of a row to delete: row $rowId of subtable $subtableId: $isLost', (place) => {
		const { isLost, ...row } = place;
		const deletedRows = new Map([['5', ['7']]]);
		const plan = () =>
			planUpdate(
				{
					changes: { ...noChanges(), deletedRows },
					files: [{ fieldId: '9', file, ...row }],
					kinds: new Map(),
				},
				always,
			);
		if (!isLost) expect(plan().steps).toHaveLength(1);
		else {
			expect(plan).toThrow(
				expect.objectContaining({
					message: "The file 'a.txt' is for row 7, which this item deletes, so nothing was written",
					description: 'Give the row with its _rowId, or leave out the file.',
				}),
			);
		}
	});

	it('names the old and the new files in a dry run that replaces them', () => {
		const before: JsonObject = new Map([['9', 'x@old.txt']]);
		const plan = planUpdate(contentOf({}, { files }), replacing, before);
		expect(changesOf(plan, true).after).toEqual(new Map([['9', ['a.txt']]]));
		expect(changesOf(plan).after).toEqual(new Map([['9', ['x@old.txt', 'a.txt']]]));
	});

	it('does not say what changes if the stored record is unknown', () => {
		const plan = planUpdate(contentOf({ 1: 'a' }), skipping);
		expect([plan.changed, plan.before]).toEqual([undefined, undefined]);
	});

	it('a dry run returns the differing values before and after', () => {
		const plan = planUpdate(contentOf({ 1: 'a', 2: 'c' }), skipping, stored);
		expect(changesOf(plan)).toEqual({
			before: new Map([['2', 'b']]),
			after: new Map([['2', 'c']]),
		});
	});
});

it('the plan of a creation sends rows of another record as new rows, and has no values before', () => {
	const subtables = new Map([['5', new Map([['7', new Map([['6', 'x']])]])]]);
	const plan = planCreation({
		changes: { ...noChanges(), subtables },
		files: [],
		kinds: new Map(),
	});
	expect(plan.steps.map(({ what }) => what)).toEqual(['create']);
	expect([...(plan.content.changes.subtables.get('5')?.keys() ?? [])]).toEqual(['-1']);
	expect([plan.changed, changesOf(plan).before]).toEqual([[], new Map()]);
});

it('the plan of a deletion removes all fields and rows, and no metadata', () => {
	const plan = planDeletion(stored);
	expect(plan.steps).toEqual([{ what: 'deleteRecord' }]);
	const { before, after } = changesOf(plan);
	expect([[...before.keys()], after.size]).toEqual([['1', '2', '_subtable_5'], 0]);
	expect(changesOf(planDeletion()).before.size).toBe(0);
});
