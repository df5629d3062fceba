import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { assign, byIds, mass, replace } from './massParameters';

const testbed = useRecordTestbed();

beforeEach(() => (testbed.service.switches.schemaChoices = true));

it.each([
	{ what: mass('update', { ...byIds('10'), ...assign(['Status', 'Opne']) }), isUnknown: true },
	{ what: mass('update', { ...byIds('10'), ...assign(['Status', 'Open']) }), isUnknown: false },
	{ what: mass('update', { ...byIds('10'), ...assign(['Status', '']) }), isUnknown: false },
	{
		what: mass('searchReplace', { ...byIds('10'), ...replace('Status', 'Open', 'Opne') }),
		isUnknown: true,
	},
	{
		what: mass('searchReplace', { ...byIds('10'), ...replace('Status', 'Opne', 'Open') }),
		isUnknown: false,
	},
])('a value that is not one of the listed choices is named in _warning: %#', async (each) => {
	for (const waitForCompletion of [true, false]) {
		const parameters = { ...each.what, waitForCompletion };
		const { json } = await testbed.run(parameters, [{}], testbed.as('admin'));
		expect(json[0]?._warning).toBe(
			each.isUnknown ? "Check what was sent: 'Status' (not one of the choices)." : undefined,
		);
	}
});

const unusedStatus =
	"Check what was sent: 'Status' (not among the values in use in the newest 200 records; check the spelling).";

it.each([
	['Opne', unusedStatus],
	['Open', undefined],
])('without listed choices, %s is compared with the values in use', async (status, warning) => {
	const parameters = mass('update', { ...byIds('10'), ...assign(['Status', status]) });
	const { json } = await testbed.run(parameters);
	expect(json[0]?._warning).toBe(warning);
});

it.each([
	{ searched: 'Open', replacement: 'Opne', isNamed: true },
	{ searched: 'Open', replacement: 'Shipped', isNamed: false },
	{ searched: 'Ope', replacement: 'Opne', isNamed: false },
])(
	'without listed choices and types, $replacement in place of $searched is compared with the values in use if a whole value is replaced',
	async ({ searched, replacement, isNamed }) => {
		for (const field of ['Status', orders.fields.status]) {
			const replaced = replace(field, searched, replacement);
			const { json } = await testbed.run(mass('searchReplace', { ...byIds('11'), ...replaced }));
			expect(json[0]?._warning).toBe(isNamed ? unusedStatus : undefined);
		}
	},
);

it('a value with two problems has a note on each', async () => {
	const value = '[object Object]';
	const parameters = mass('update', { ...byIds('10'), ...assign(['Status', value]) });
	const { json } = await testbed.run(parameters, [{}], testbed.as('admin'));
	expect(json[0]?._warning).toMatch(
		/^Check what was sent: 'Status' \(not one of the choices\), 'Status' \(contains '\[object Object\]'/,
	);
});
