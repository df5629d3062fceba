import { customers, empty, orders, type SheetAddress } from '../service';
import { usePickListTestbed } from './pickListTestbed';
import { mapped } from './record/recordValues';
import { sheet } from './recordTestbed';

const testbed = usePickListTestbed();
const search = {
	kind: 'listSearch',
	name: 'searchActionButtons',
	parameters: { resource: 'actionButton', operation: 'run' },
} as const;
const { buttons } = orders;

const all = [
	{ name: 'Mark as Shipped', value: buttons.ship },
	{ name: 'Cancel "at once" & for good 🛑', value: buttons.cancel },
	{ name: 'Clear Margin', value: buttons.clearMargin },
];

it.each(['object', 'array'] as const)(
	'lists the buttons of the sheet from an %s, live, searched by their names',
	async (shape) => {
		testbed.service.switches.actionButtonList = shape;
		expect(await testbed.ask(search)).toEqual({ results: all });
		expect(await testbed.ask({ ...search, filter: 'SHIP' })).toEqual({ results: [all[0]] });
		expect(await testbed.ask({ ...search, filter: orders.buttons.ship })).toEqual({
			results: [all[0]],
		});
		const of = (address: SheetAddress) => ({ ...search.parameters, sheet: sheet(address) });
		expect(await testbed.ask({ ...search, parameters: of(customers) })).toEqual({
			results: [{ name: 'Make Public', value: customers.buttons.makePublic }],
		});
		expect(await testbed.ask({ ...search, parameters: of(empty) })).toEqual({ results: [] });
		const added = { id: '99', name: 'New', runnableBy: ['Sales'], press: () => '' };
		testbed.orders.actionButtons.push(added);
		expect(await testbed.ask(search)).toEqual({ results: [...all, { name: 'New', value: '99' }] });
	},
);

it.each([
	['code106', /No access right/],
	['http404', /does not exist|not found/i],
	['html', /web page/],
] as const)('a list of buttons explains why it cannot be shown: %s', async (answer, text) => {
	testbed.service.switches.actionButtons = answer;
	expect(await testbed.refusalOf(search)).toMatch(text);
});

describe('a service that cannot be reached', () => {
	it.each([
		['loadOptions', 'getFields', 503],
		['listSearch', 'searchSheets', 500],
		['resourceMapping', 'getRecordFields', 503],
	] as const)(
		'is an error of the list, and the next request succeeds: %s %s %i',
		async (kind, name, status) => {
			const headers = { 'retry-after': '0' };
			testbed.inject({ kind: 'status', status, headers, times: 100 });
			const parameters = { operation: 'create', ...mapped({}, [], [{ id: 'City (1000004)' }]) };
			expect(await testbed.refusalOf({ kind, name, parameters })).toMatch(
				/HTTP 500|not available at the moment/,
			);
			testbed.service.faults.clear();
			await expect(testbed.ask({ kind, name })).resolves.toBeDefined();
		},
	);
});
