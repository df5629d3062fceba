import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';

const testbed = usePickListTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

interface Asked {
	filter?: string;
	identity?: 'admin' | 'member';
	parameters?: INodeParameters;
}

async function offered(field: string, more: Asked = {}): Promise<unknown> {
	return (await entries(field, more)).map(({ value }) => value);
}

async function entries(
	field: string,
	more: Asked = {},
): Promise<Array<{ value: string; description?: string }>> {
	const { filter, identity = 'admin', parameters = {} } = more;
	const conditions = [
		{ field: 'City', value: '' },
		{ field, operator: 'eq', value: '' },
	];
	const answer = await testbed.ask({
		kind: 'listSearch',
		name: 'searchChoices',
		identity,
		filter,
		path: 'parameters.filters.conditions[1].value',
		parameters: { operation: 'getAll', filters: { conditions }, ...parameters },
	});
	return Object(answer).results;
}

describe('the choices of a value', () => {
	it.each([fields.status, 'Status', `State once (${fields.status})`])(
		'come from the schema, for %s',
		async (field) => {
			testbed.service.switches.schemaChoices = true;
			expect(await offered(field)).toEqual(['Open', 'Confirmed', 'Shipped', 'Cancelled']);
			expect(await offered(field, { filter: 'ED' })).toEqual(['Confirmed', 'Shipped', 'Cancelled']);
			expect(testbed.asked).toEqual(['schema']);
		},
	);

	it('come from the newest records without a schema', async () => {
		const [newest] = [...testbed.orders.records.values()].reverse();
		newest?.set(fields.status, 'Lost').set(fields.tags, ['Repeat, large', 'New']);
		expect(await offered(fields.status, { identity: 'member' })).toContain('Lost');
		expect(testbed.asked).toEqual(['schema', 'schema', 'definition', 'EID']);
		expect(await offered(fields.tags, { identity: 'member' })).toEqual(
			expect.arrayContaining(['New', 'Repeat, large']),
		);
		expect(await offered(fields.internalMargin, { identity: 'member' })).toEqual([]);
	});

	it.each([
		{ schemaChoices: true, mark: undefined },
		{ schemaChoices: false, mark: 'In use in the newest records' },
	])('have the mark $mark if the schema lists choices: $schemaChoices', async (row) => {
		testbed.service.switches.schemaChoices = row.schemaChoices;
		const listed = await entries(fields.status);
		expect(new Set(listed.map(({ description }) => description))).toEqual(new Set([row.mark]));
	});

	it.each([lines.fields.article, 'Article', `Old Name (${lines.fields.article})`])(
		'come from the rows of the newest records for a field of rows: %s',
		async (field) => {
			const [newest] = [...testbed.orders.records.values()].reverse();
			newest?.rows(lines.id).set(1, new Map([[lines.fields.article, 'Sundial']]));
			for (const identity of ['admin', 'member'] as const) {
				expect(await offered(field, { identity, filter: 'sund' })).toEqual(['Sundial']);
			}
		},
	);

	it.each(['If Locked', '111'])('are none for a system field: %s', async (field) => {
		expect(await offered(field)).toEqual([]);
	});

	it('are an error for a field that does not exist', async () => {
		const question = offered('Statuss');
		await expect(question).rejects.toThrow("Did you mean 'Status'?");
	});
});
