import { orders } from '../service';
import { usePickListTestbed } from './pickListTestbed';

const testbed = usePickListTestbed();
const { lines } = orders.subtables;
/** Keys under which the mapper stores the fields. */
const key = {
	article: `Article (${lines.fields.article})`,
	quantity: `Quantity (${lines.fields.quantity})`,
	unitPrice: `Unit Price (${lines.fields.unitPrice})`,
	amount: `Amount (${lines.fields.amount})`,
};

const rowFields = {
	kind: 'resourceMapping',
	name: 'getRowFields',
	parameters: { resource: 'subtableRow', operation: 'add', subtableId: lines.id },
} as const;

/** Restarts the service without sources of fields, so that nothing is cached. */
async function closeSources(): Promise<void> {
	await testbed.stop();
	await testbed.start();
	Object.assign(testbed.service.switches, { schema: 'code106', definition: 'html' });
}

async function columns(question: Parameters<typeof testbed.ask>[0]): Promise<unknown[]> {
	const { fields } = Object(await testbed.ask(question));
	return [fields].flat().map((field) => [Object(field).id, Object(field).displayName]);
}

describe('the subtables of a sheet', () => {
	it('an administrator sees the names of subtables', async () => {
		const options = await testbed.ask({ name: 'getSubtables', identity: 'admin' });
		expect(options).toEqual([{ name: 'Order Lines', value: lines.id }]);
	});

	it('other users see subtables by their fields, from the definition or from records', async () => {
		const named = [{ name: `Article, Quantity, Unit Price (${lines.id})`, value: lines.id }];
		expect(await testbed.ask({ name: 'getSubtables' })).toEqual(named);
		await closeSources();
		expect(await testbed.ask({ name: 'getSubtables' })).toEqual(named);
		expect(testbed.asked).toEqual(['schema', 'schema', 'definition', 'EID', 'FNAME']);
	});
});

describe('the fields of a row', () => {
	it('the fields of a row are the writable fields of its subtable, with their types', async () => {
		const { fields } = Object(await testbed.ask({ ...rowFields, identity: 'admin' }));
		expect(fields).toEqual([
			expect.objectContaining({ id: key.article, displayName: 'Article', type: 'string' }),
			expect.objectContaining({ id: key.quantity, displayName: 'Quantity', type: 'number' }),
			expect.objectContaining({ id: key.unitPrice, displayName: 'Unit Price', type: 'number' }),
		]);
	});

	it.each(['Order Lines', `Lines once (${lines.id})`])(
		'the fields of a row are those of the subtable %s',
		async (subtableId) => {
			const parameters = { ...rowFields.parameters, subtableId };
			const question = { ...rowFields, identity: 'admin', parameters } as const;
			expect(await columns(question)).toContainEqual([key.article, 'Article']);
		},
	);

	it('the fields of a row have names for an ordinary user, from the definition or from records', async () => {
		const withAmount = [
			[key.article, 'Article'],
			[key.quantity, 'Quantity'],
			[key.unitPrice, 'Unit Price'],
			[key.amount, 'Amount'],
		];
		expect(await columns(rowFields)).toEqual(withAmount);
		await closeSources();
		expect(await columns(rowFields)).toEqual(withAmount);
	});

	it.each([
		['add', true],
		['update', false],
	])('the fields of a row are required or optional on %s', async (operation, required) => {
		const found = testbed.orders.subtable(lines.id)?.fields[0];
		if (found) found.required = true;
		const parameters = { ...rowFields.parameters, operation };
		const { fields } = Object(await testbed.ask({ ...rowFields, identity: 'admin', parameters }));
		expect(fields).toContainEqual(expect.objectContaining({ id: key.article, required }));
	});
});
