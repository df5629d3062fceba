import type { INodeParameters } from 'n8n-workflow';
import { orders, type SeenRequest } from '../../service';
import { packageName, packageTypes } from '../runner';
import { usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

/** Kinds of requests that read records, and the words for requests of a test run. */
const kinds = ['test run', 'newest', 'changes', 'IDs', 'single read'] as const;
type Kind = (typeof kinds)[number];
type Queries = Readonly<Record<Kind, ReadonlySet<string>>>;

/** Returns the kind of a request of a poll; undefined if it does not read records of the orders. */
function kindOf({ path, query }: SeenRequest): Exclude<Kind, 'test run'> | undefined {
	if (path === `/acme/${orders.path}/1/6`) return 'single read';
	if (path !== `/acme/${orders.path}/1`) return undefined;
	const order = query.find(([name]) => name === 'order')?.[1];
	if (order === '109,ASC') return 'changes';
	return order === '109,DESC' ? 'newest' : 'IDs';
}

/** Returns the queries of each kind of request in a history that needs all of them: a test run, a change, and a deletion. */
async function queriesOf(parameters: INodeParameters): Promise<Queries> {
	polling.service.reset();
	polling.begin();
	polling.service.data.sheet(orders).sharedViews['7'] = [];
	const found = {
		'test run': new Set<string>(),
		newest: new Set<string>(),
		changes: new Set<string>(),
		IDs: new Set<string>(),
		'single read': new Set<string>(),
	};
	const note = (place?: Kind) => {
		for (const request of polling.requests) {
			const kind = kindOf(request);
			if (kind) found[place ?? kind].add(request.rawUrl.split('?')[1] ?? '');
		}
		polling.service.requests.forget();
	};
	const options = { deletionCheckEvery: 1, ...Object(parameters.options) };
	const events = ['CREATE', 'UPDATE', 'DELETE'];
	const poller = await polling.activate(
		{ events, startFrom: 'all', ...parameters, options },
		{
			credentials: {
				...polling.testbed.credentials('admin'),
				...polling.testbed.sessionCredentials('admin'),
			},
		},
	);
	await poller.test();
	note('test run');
	for (let polls = 0; polls < 4; polls++) {
		await poller.poll();
		note();
		polling.passMinutes(1);
		polling.people.edit(orders, 5, { [fields.remark]: `changed ${polls}` });
		if (polls === 1) polling.people.delete(orders, 6);
	}
	return found;
}

/** Part of the requests of a kind that a parameter changes. */
type Reach = Partial<Record<Kind, 'all' | 'some'>>;

const allKinds: Reach = Object.fromEntries(kinds.map((kind) => [kind, 'all']));
const ofOutput: Reach = { 'test run': 'all', newest: 'all', changes: 'all' };
/** At activation, one request for the newest record checks the selection. All others are for the newest of the whole sheet. */
const ofSelection: Reach = { 'test run': 'all', newest: 'some', changes: 'all', IDs: 'all' };

/** Another value of each parameter and option with the requests that it changes, or the reason why it needs no such value. */
const table: Readonly<
	Record<string, { value: INodeParameters[string]; reach: Reach } | `no value: ${string}`>
> = {
	authentication: { value: 'session', reach: allKinds },
	events: 'no value: events decide which requests are sent',
	sheet: 'no value: the sheet is the address of each request',
	filters: {
		value: { conditions: [{ field: fields.orderDate, operator: 'gte', value: '2000/01/01' }] },
		reach: ofSelection,
	},
	watchFields: { value: [fields.remark], reach: {} },
	// A node that starts with all records reads them without a condition on the date.
	startFrom: { value: 'now', reach: { changes: 'some' } },
	startDate: 'no value: it is the first condition on the date',
	simplify: { value: false, reach: {} },
	'options.deletionCheckEvery': 'no value: it decides how often IDs are listed',
	// A poll with files takes fewer changes, and a test run looks for the fields that hold files.
	'options.downloadFiles': { value: 'Status', reach: { 'test run': 'some', changes: 'all' } },
	'options.fieldKeys': { value: 'id', reach: ofOutput },
	'options.ignoreFixedFilter': { value: true, reach: { ...ofOutput, IDs: 'all' } },
	'options.ignoreMask': { value: true, reach: ofOutput },
	'options.isoDates': { value: true, reach: {} },
	'options.listFields': { value: 'Status', reach: {} },
	'options.numberFields': { value: 'Status', reach: {} },
	'options.onlyFields': { value: 'Status', reach: ofOutput },
	'options.output': { value: 'record', reach: {} },
	'options.sharedViewId': { value: '7', reach: ofSelection },
	'options.subtables': { value: false, reach: ofOutput },
	// Changes are read in both time zones. Filters compare times in the account's time zone.
	'options.timeZone': { value: 8, reach: { 'test run': 'all', changes: 'some' } },
	'options.typedValues': { value: true, reach: {} },
	'options.version': { value: '2025-02-02', reach: allKinds },
};

/** Returns which requests differ: all of a kind, if no request is as before, or some of them. */
function reachOf(before: Queries, after: Queries): Reach {
	return Object.fromEntries(
		kinds.flatMap((kind) => {
			const same = [...before[kind]].filter((query) => after[kind].has(query)).length;
			const isSame = same === before[kind].size && same === after[kind].size;
			return isSame ? [] : [[kind, same === 0 ? 'all' : 'some']];
		}),
	);
}

it('each parameter and option of the node is in the table', async () => {
	const types = await packageTypes();
	const node = types.getByNameAndVersion(`${packageName}.sheetRecordsPollingTrigger`);
	// n8n adds the times of the polls.
	const names = node.description.properties
		.filter(({ type, name }) => type !== 'notice' && name !== 'pollTimes')
		.flatMap(({ name, type, options = [] }) =>
			type === 'collection' ? options.map((option) => `options.${option.name}`) : [name],
		);
	expect(names.sort()).toEqual(Object.keys(table).sort());
});

it('each kind of request is sent', async () => {
	const queries = await queriesOf({});
	expect(kinds.filter((kind) => queries[kind].size === 0)).toEqual([]);
});

it.each(
	Object.entries(table).flatMap(([name, entry]) =>
		typeof entry === 'string' ? [] : [{ name, ...entry }],
	),
)('$name changes the requests that it concerns, and no others', async ({ name, value, reach }) => {
	const [, option] = /^options\.(.*)/.exec(name) ?? [];
	const parameters = option === undefined ? { [name]: value } : { options: { [option]: value } };
	expect(reachOf(await queriesOf({}), await queriesOf(parameters))).toEqual(reach);
});

/** Options that decide which records are found, with the requests that they change if the node compares the records itself. */
const besideNodeCondition: Readonly<Record<string, Reach>> = {
	ignoreFixedFilter: { ...ofOutput, IDs: 'all' },
	// The node compares the stored values.
	ignoreMask: { ...ofOutput, IDs: 'all' },
	sharedViewId: ofSelection,
	version: allKinds,
};

it.each(Object.entries(besideNodeCondition))(
	"beside 'Is Not Equal To', options.%s changes the requests that it concerns, and no others",
	async (option, reach) => {
		const condition = { field: fields.remark, operator: 'ne', value: 'internal' };
		const filters = { conditions: [condition] };
		const entry = table[`options.${option}`];
		const options = { [option]: typeof entry === 'object' ? entry.value : undefined };
		const [before, after] = [await queriesOf({ filters }), await queriesOf({ filters, options })];
		expect(reachOf(before, after)).toEqual(reach);
	},
);
