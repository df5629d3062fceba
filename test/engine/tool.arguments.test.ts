import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { customers, orders } from '../service';
import { asJson } from './record/recordValues';
import { onOrder, onOrders, sheet, useRecordTestbed } from './recordTestbed';
import { packageTypes, type RunResult } from './runner';

/** Arguments that a model may give, and the answers of the tool. `$json` has the arguments, because n8n passes them in the item. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;

/** Runs the node as a tool of an agent, with the arguments of a model. */
async function call(parameters: INodeParameters, input: object): Promise<RunResult> {
	const name = 'n8n-nodes-sheet-records.sheetRecords';
	const nodeTypes = await packageTypes();
	const type = nodeTypes.getByNameAndVersion(name);
	const description = { ...type.description, name: 'sheetRecordsTool' };
	const tool = Object.assign(Object.create(type), { description });
	const types = nodeTypes.with({ nodes: { [`${name}Tool`]: tool } });
	return await testbed.run(parameters, [{ ...input, toolCallId: 'call_1' }], {
		types,
		node: `${name}Tool`,
		...testbed.as('admin'),
	});
}

/** Returns the text with which n8n answers a model after an error: the message, without the description. */
function errorText({ error }: RunResult): string {
	return error?.message ?? '';
}

const value = '={{ $json.value }}';
const numberOf = (id: number) => testbed.order(id).text(fields.orderNumber);
const tools: Record<string, INodeParameters> = {
	'Get by match': {
		...onOrders('get'),
		...{ getBy: 'match', matchFields: ['Order Number'], matchValues: value },
		...{ output: 'simplified' },
	},
	'Get by ID': { ...onOrder('get', '={{ $json.value }}'), output: 'simplified' },
	Count: {
		...onOrders('count'),
		filters: { conditions: [{ field: 'Status', operator: 'eq', value }] },
	},
	'Count by date': {
		...onOrders('count'),
		filters: { conditions: [{ field: 'Order Date', operator: 'gte', value }] },
	},
	Create: {
		...{ operation: 'create', sheet: sheet(customers) },
		...asJson('={{ $json.value }}'),
	},
	Update: { ...onOrder('update', 12), ...asJson('={{ $json.value }}') },
	'Update a number': {
		...{
			operation: 'update',
			sheet: sheet(customers),
			recordId: { __rl: true, mode: 'id', value: '3' },
		},
		...asJson('={{ ({ "Credit Limit": $json.value }) }}'),
	},
	'Add comment': {
		...{ resource: 'comment', operation: 'add', sheet: sheet(orders) },
		...{ recordId: { __rl: true, mode: 'id', value: '={{ $json.id }}' }, comment: value },
	},
};

/** Reports the answer of a tool: its first item, or the text of its error. */
async function answerOf(tool: string, input: object) {
	const result = await call(tools[tool] ?? {}, input);
	return result.error ? errorText(result) : result.json[0];
}

const newCustomer = { 'Customer Number': 'C-0990', Name: 'New Ltd', City: 'Porto' };
const fence = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

it.each<[what: string, tool: string, input: () => object, answer: object]>([
	['the exact number', 'Get by match', () => ({ value: numberOf(12) }), { _recordId: 12 }],
	[
		'the number with white space',
		'Get by match',
		() => ({ value: ` ${numberOf(12)}\n` }),
		{ _recordId: 12 },
	],
	['an ID', 'Get by ID', () => ({ value: 12 }), { _recordId: 12 }],
	['an ID as text', 'Get by ID', () => ({ value: '12' }), { _recordId: 12 }],
	['a status', 'Count', () => ({ value: 'Open' }), { count: expect.any(Number) }],
	['a status that no record has', 'Count', () => ({ value: 'Opened' }), { count: 0 }],
	['an ISO date', 'Count by date', () => ({ value: '2020-01-31' }), { count: expect.any(Number) }],
	['an object', 'Create', () => ({ value: newCustomer }), { City: 'Porto' }],
	['JSON', 'Create', () => ({ value: JSON.stringify(newCustomer) }), { City: 'Porto' }],
	[
		'JSON in a fence',
		'Create',
		() => ({ value: fence(JSON.stringify(newCustomer)) }),
		{ City: 'Porto' },
	],
	[
		'a null beside values',
		'Update',
		() => ({ value: { City: 'Porto', Remark: null } }),
		{ City: 'Porto' },
	],
	[
		'a number as text',
		'Update a number',
		() => ({ value: '1500' }),
		{ 'Credit Limit': expect.stringMatching(/^1500/) },
	],
	[
		'a number',
		'Update a number',
		() => ({ value: 1500 }),
		{ 'Credit Limit': expect.stringMatching(/^1500/) },
	],
	['a comment', 'Add comment', () => ({ id: '12', value: 'Called.' }), { _recordId: 12 }],
	[
		'a comment in Markdown',
		'Add comment',
		() => ({ id: 12, value: '**Called**\n- [x] done' }),
		{ _recordId: 12 },
	],
])('a tool takes %s: %s', async (_, tool, input, answer) => {
	expect(await answerOf(tool, input())).toEqual(expect.objectContaining(answer));
});

it.each<
	[
		what: string,
		tool: string,
		input: Record<string, NodeParameterValueType | object>,
		words: RegExp[],
	]
>([
	['nothing', 'Get by match', {}, [/'Order Number'/, /'Values to Match'/]],
	['null', 'Get by match', { value: null }, [/'Order Number'/, /'Values to Match'/]],
	[
		'the text null',
		'Get by match',
		{ value: 'null' },
		[/No record matches .*'null'/, /Check the value/],
	],
	['a wrong number', 'Get by match', { value: 'SO-99999' }, [/No record matches .*SO-99999/]],
	['a list', 'Get by match', { value: ['SO-00012'] }, [/'Values to Match'/, /a list/]],
	[
		'an object',
		'Get by match',
		{ value: { number: 'SO-00012' } },
		[/'Values to Match'/, /an object/],
	],
	['an ID with a fraction', 'Get by ID', { value: '12.0' }, [/'12.0'/, /whole number/]],
	['nothing', 'Get by ID', {}, [/'Record' is empty/, /whole number/]],
	['the text null', 'Get by ID', { value: 'null' }, [/'null'/, /whole number/]],
	['the name of a record', 'Get by ID', { value: 'SO-00012' }, [/'SO-00012'/, /whole number/]],
	['an ID that does not exist', 'Get by ID', { value: 99_999 }, [/no record 99999/, /Check/]],
	['nothing', 'Count', {}, [/'Status' in 'Filters' has no value/, /Is Empty/]],
	['a list', 'Count', { value: ['Open'] }, [/'Status' in 'Filters'/, /a list/]],
	['a date in words', 'Count by date', { value: 'last week' }, [/'last week' is not a valid date/]],
	[
		'a date of another country',
		'Count by date',
		{ value: '31.12.2025' },
		[/'31.12.2025'/, /yyyy|2026/],
	],
	['nothing', 'Create', {}, [/'Record \(JSON\)'/, /empty|object/]],
	['a text that is no JSON', 'Create', { value: 'Name: New Ltd' }, [/'Record \(JSON\)'/]],
	['JSON that is cut off', 'Create', { value: '{"Name": "New' }, [/'Record \(JSON\)'/]],
	[
		'a list of records',
		'Create',
		{ value: [newCustomer] },
		[/list of 1 record|list/, /one item|Split Out/],
	],
	['an unknown field', 'Create', { value: { Nam: 'x' } }, [/'Nam' is not a field/, /'Name'/]],
	['an empty object', 'Update', { value: {} }, [/nothing to write/, /Enter a value/]],
	[
		'a date of another country',
		'Update',
		{ value: { 'Order Date': '31.12.2025' } },
		[/'31.12.2025'/],
	],
	[
		'a number in words',
		'Update a number',
		{ value: 'about 1500' },
		[/'about 1500' is not a number/, /'Credit Limit'/],
	],
	['a number with a currency', 'Update a number', { value: '1.500,00 €' }, [/is not a number/]],
	['a missing ID', 'Add comment', { value: 'Called.' }, [/'Record' is empty/]],
	[
		'a name in place of an ID',
		'Add comment',
		{ id: 'Acme order', value: 'Called.' },
		[/'Acme order'/, /whole number/],
	],
	['an empty comment', 'Add comment', { id: 12, value: '' }, [/'Comment' is empty/]],
	['a null comment', 'Add comment', { id: 12, value: null }, [/'Comment' is empty/]],
	[
		'an object as comment',
		'Add comment',
		{ id: 12, value: { text: 'x' } },
		[/'Comment'/, /an object/],
	],
])('a model can correct %s: %s', async (_, tool, input, words) => {
	const answer = await answerOf(tool, input);
	for (const word of words) expect(answer).toEqual(expect.stringMatching(word));
	expect(testbed.writes).toEqual([]);
});

it('Values to Match gives each match field its value, one per line', async () => {
	testbed.order(7).set(fields.city, 'Oslo').set(fields.reference, 'R-7');
	const get = { ...tools['Get by match'], matchFields: ['Reference', 'City'] };
	const { ids } = await call(get, { value: 'R-7\r\nOslo' });
	expect(ids).toEqual([7]);
	const incomplete = errorText(await call(get, { value: 'R-7' }));
	expect(incomplete).toMatch(/not one value for each .*'Reference', 'City', one per line/s);
});

it('Values to Match of a single field is one value, although it has several lines', async () => {
	testbed.order(7).set(fields.remark, 'First line\nSecond line of 7');
	const get = { ...tools['Get by match'], matchFields: ['Remark'] };
	expect((await call(get, { value: 'First line\nSecond line of 7\n' })).ids).toEqual([7]);
});

it('without Values to Match, the arguments of the model are matched by their names', async () => {
	testbed.order(7).set(fields.reference, 'R-7');
	const get = { ...tools['Get by match'], matchFields: ['Reference'], matchValues: '' };
	expect((await call(get, { Reference: 'R-7' })).ids).toEqual([7]);
});

it('without Values to Match, each match field needs an argument', async () => {
	testbed.order(7).set(fields.reference, 'R-7');
	const get = { ...tools['Get by match'], matchFields: ['Reference', 'City'], matchValues: '' };
	expect(errorText(await call(get, { Reference: 'R-7' }))).toMatch(
		/'Values to Match' is empty.*'Reference', 'City', one per line/s,
	);
});

it('without Values to Match, an argument may be called by the ID of its field', async () => {
	testbed.order(7).set(fields.reference, 'R-7');
	const get = { ...tools['Get by match'], matchFields: [fields.reference], matchValues: '' };
	expect((await call(get, { [fields.reference]: 'R-7' })).ids).toEqual([7]);
});

it('Values to Match belongs to tools only', async () => {
	testbed.order(7).set(fields.reference, 'R-7');
	const get = { ...onOrders('get'), getBy: 'match', matchFields: ['Reference'] };
	const { ids } = await testbed.run({ ...get, matchValues: 'R-8' }, [{ Reference: 'R-7' }]);
	expect(ids).toEqual([7]);
});

it.each([
	['Get by match', ['Order Number'], (id: number) => [numberOf(id)]],
	['Get by match', ['Order Number', 'Reference'], (id: number) => [numberOf(id), `R-${id}`]],
])('%s accepts the values of %j as a JSON list', async (name, matchFields, valuesOf) => {
	testbed.order(7).set(fields.reference, 'R-7');
	const { ids } = await call(
		{ ...tools[name], matchFields },
		{ value: JSON.stringify(valuesOf(7)) },
	);
	expect(ids).toEqual([7]);
});
