import { customers, orders } from '../service';
import { example } from './chain';
import { useJobs } from './jobs';

// Jobs that synchronize a sheet with data tables of n8n.
const { testbed, order, runWell, writes } = useJobs();
const { fields, subtables } = orders;

it('the job for orders with lines synchronizes the rows with the table, and reports rejected orders', async () => {
	const run = async () => await runWell(example('jobs/ordersWithLines'));
	const { article, quantity } = subtables.lines.fields;
	const linesOf = (id: number) =>
		[...order(id).rows(subtables.lines.id).values()].map((row) => [
			...[row.get(article), row.get(quantity)],
		]);
	order(11).set(fields.reference, 'SHOP-11');
	order(12).set(fields.reference, 'SHOP-12');
	const customer = (id: number) => order(id).text(fields.customerNumber);
	const line = (number: string, name: string, count: string) => ({
		...{ order: number, article: name, quantity: count, price: '5' },
	});
	await testbed.editor.createDataTable(
		'orders',
		['number', 'customer'],
		[
			{ number: 'SHOP-11', customer: customer(11) },
			{ number: 'SHOP-12', customer: customer(12) },
			{ number: 'SHOP-13', customer: '' },
		],
	);
	await testbed.editor.createDataTable(
		'order_lines',
		['order', 'article', 'quantity', 'price'],
		[
			...[line('SHOP-11', 'Chair', '2'), line('SHOP-11', 'Lamp', '1')],
			...[line('SHOP-12', 'Desk', '3'), line('SHOP-13', 'Vase', '1')],
		],
	);
	const execution = await run();
	expect([linesOf(11), linesOf(12)]).toEqual([
		[
			['Chair', '2'],
			['Lamp', '1'],
		],
		[['Desk', '3']],
	]);
	expect(execution.json('Create or Update').map(({ _action }) => _action)).toEqual([
		...['updated', 'updated'],
	]);
	expect(execution.json('Tell Someone')).toHaveLength(1);

	// The next run only sends the rejected order again.
	const writesBefore = writes().length;
	const again = await run();
	expect(again.json('Create or Update').map(({ _action }) => _action)).toEqual([
		...['unchanged', 'unchanged'],
	]);
	expect(writes().length - writesBefore).toBe(1);
});

it('the two-way sync job copies changes in both directions without duplicates, and reports conflicts', async () => {
	const { customerNumber, name, city, email } = customers.fields;
	const sheet = testbed.service.data.sheet(customers);
	for (const id of sheet.records.keys()) if (id > 6) sheet.records.delete(id);
	const stored = () =>
		[...sheet.records.values()].map((record) =>
			[customerNumber, name, city, email].map((field) => record.text(field)),
		);
	const [first = [], second = [], , , , sixth = []] = stored();
	const row = ([number = '', named = '', place = '', mail = '']: string[]) => ({
		...{ number, name: named, city: place, email: mail, synced: '' },
	});
	const newcomer = ['C-0950', 'Newcomer Ltd', 'Porto', 'new@customer.example'];
	const table = await testbed.editor.createDataTable(
		'customers',
		['number', 'name', 'city', 'email', 'synced'],
		[row(first), { ...row(second), city: 'Elsewhere' }, row(newcomer)],
	);
	const rows = async () => await testbed.editor.dataTableRows(table);
	const customersInTable = async () =>
		(await rows()).map((row) => [row.number, row.name, row.city, row.email].map(String)).sort();
	const changeRow = async (number: string, data: Record<string, string>) =>
		await testbed.editor.changeDataTableRow(table, ['number', number], data);
	/** Runs the job. Returns the number of writes and the reported customers. */
	const run = async () => {
		const before = writes().length;
		const execution = await runWell(example('jobs/twoWaySync'));
		const reportedNumbers = execution.json('Tell Someone').map((json) => json.number);
		return [writes().length - before, ...reportedNumbers];
	};
	/** Runs the job and checks that it writes nothing. Returns the reported customers. */
	const runWithoutWrites = async () => {
		const before = [stored(), await rows()];
		const [writeCount, ...reportedNumbers] = await run();
		expect([writeCount, stored(), await rows()]).toEqual([0, ...before]);
		return reportedNumbers;
	};

	// The first run matches existing customers, and creates missing customers on the other side.
	expect(await run()).toEqual([1, 'C-0002']);
	expect(stored()).toEqual([...stored().slice(0, 6), newcomer]);
	const [unchanged, [number, named, , mail] = [], ...rest] = stored();
	expect(await customersInTable()).toEqual([
		unchanged,
		[number, named, 'Elsewhere', mail],
		...rest,
	]);
	expect(await runWithoutWrites()).toEqual(['C-0002']);

	// Change a customer on each side, clear a value, and change one customer on both sides.
	const { people } = testbed.service;
	people.edit(customers, 3, { [city]: 'Reykjavík' });
	await changeRow('C-0004', { city: 'Tromsø', email: '' });
	people.edit(customers, 1, { [city]: 'Lima' });
	await changeRow('C-0001', { city: 'Quito' });
	people.delete(customers, 5);
	const [writeCount, ...reportedNumbers] = await run();
	expect([writeCount, reportedNumbers.sort()]).toEqual([1, ['C-0001', 'C-0002', 'C-0005']]);
	const cities = async () => [
		stored().map(([number, , place]) => `${number} ${place}`),
		(await customersInTable()).map(([number, , place]) => `${number} ${place}`),
	];
	expect(await cities()).toEqual([
		[
			...['C-0001 Lima', `C-0002 ${second[2]}`, 'C-0003 Reykjavík', 'C-0004 Tromsø'],
			...[`C-0006 ${sixth[2]}`, 'C-0950 Porto'],
		],
		[
			...['C-0001 Quito', 'C-0002 Elsewhere', 'C-0003 Reykjavík', 'C-0004 Tromsø'],
			...[expect.stringContaining('C-0005'), `C-0006 ${sixth[2]}`, 'C-0950 Porto'],
		],
	]);
	expect(stored()[3]?.[3]).toBe('');

	// A change by a user during the run is not overwritten.
	await changeRow('C-0006', { city: 'Vardø' });
	const stopEditing = testbed.service.beforeRequest(({ query }) => {
		const isLookUp = query.some(([key]) => key === 'where');
		if (isLookUp) people.edit(customers, 6, { [city]: 'Bergen' });
	});
	expect((await run()).sort()).toEqual([0, 'C-0001', 'C-0002', 'C-0005', 'C-0006']);
	stopEditing();
	expect(sheet.record(6).text(city)).toBe('Bergen');
	await changeRow('C-0006', { city: 'Bergen' });

	// A conflict ends when both sides are equal.
	await changeRow('C-0001', { city: 'Lima' });
	await changeRow('C-0002', { city: second[2] ?? '' });
	expect(await run()).toEqual([0, 'C-0005']);
	expect(await runWithoutWrites()).toEqual(['C-0005']);
});
