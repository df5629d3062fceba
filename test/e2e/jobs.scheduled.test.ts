import {
	customers,
	empty,
	orders,
	type SeenRequest,
	type SheetAddress,
	type SheetRecord,
} from '../service';
import { daysAgo, keepToOneDay } from './schedule';
import { example } from './chain';
import { useJobs } from './jobs';

// Jobs that start on a schedule or manually. The tests start them from the editor.
const { testbed, order, run, runWell, writes } = useJobs();
const { fields } = orders;

beforeEach(keepToOneDay);

const recordsOf = (sheet: SheetAddress) => [...testbed.service.data.sheet(sheet).records.values()];

const contentOf = (records: SheetRecord[]) =>
	new Map(records.map((record) => [record.id, JSON.stringify([...record.values])]));

function changedSince(before: Map<number, string>, records: SheetRecord[]): number[] {
	const now = contentOf(records);
	return [...now].flatMap(([id, content]) => (before.get(id) === content ? [] : [id]));
}

describe('the nightly sync job', () => {
	const job = example('jobs/nightlySync');
	const columns = ['number', 'name', 'city', 'email'];
	const rejectedColumns = [...columns, 'error'];
	/** Webhook address without a server. The service counts deliveries even if they fail. */
	const unusedAddress = 'http://127.0.0.1:9/';

	function row(number: string, changes: Record<string, string> = {}): Record<string, string> {
		const record = recordsOf(customers).find(
			(record) => record.text(customers.fields.customerNumber) === number,
		);
		const { name, city, email } = customers.fields;
		const text = (fieldId: string) => record?.text(fieldId) ?? '';
		return { number, name: text(name), city: text(city), email: text(email), ...changes };
	}

	it('writes only new and changed records, reports their numbers, and keeps rejected rows for another run', async () => {
		const table = await testbed.editor.createDataTable('not_written', rejectedColumns, []);
		await testbed.editor.createDataTable('customers', columns, [
			row('C-0001'),
			row('C-0002', { city: 'Reykjavík' }),
			row('C-0950', { name: 'Newcomer Ltd', city: 'Porto', email: 'new@customer.example' }),
			row('C-0951', { city: 'Without a name' }),
		]);
		const before = contentOf(recordsOf(customers));
		testbed.service.webhooks.register(customers, unusedAddress);
		const execution = await runWell(job);
		const changed = changedSince(before, recordsOf(customers)).map((id) => {
			const record = testbed.service.data.record(customers, id);
			const { customerNumber, name, city, email } = customers.fields;
			return [customerNumber, name, city, email].map((fieldId) => record.text(fieldId));
		});
		const { name, email } = row('C-0002');
		expect(changed).toEqual([
			['C-0002', name, 'Reykjavík', email],
			['C-0950', 'Newcomer Ltd', 'Porto', 'new@customer.example'],
		]);
		expect(execution.json('Create or Update').map(({ _action }) => _action)).toEqual([
			'unchanged',
			'updated',
			'created',
		]);
		await testbed.service.webhooks.settled();
		expect(testbed.service.webhooks.log).toHaveLength(2);
		expect(execution.json('Write the Message')).toEqual([
			{ message: 'Nightly sync: 1 unchanged, 1 updated, 1 created, 1 rejected' },
		]);
		const rejected = expect.objectContaining({
			...{ number: 'C-0951', city: 'Without a name', error: expect.stringMatching(/name/i) },
		});
		expect(await testbed.editor.dataTableRows(table)).toEqual([rejected]);

		// The next run only sends the rejected row again, and keeps it once.
		const writesBefore = writes().length;
		const again = await runWell(job);
		expect(writes().length - writesBefore).toBe(1);
		expect(again.json('Write the Message')).toEqual([
			{ message: 'Nightly sync: 3 unchanged, 1 rejected' },
		]);
		expect(await testbed.editor.dataTableRows(table)).toEqual([rejected]);
		expect(recordsOf(customers)).toHaveLength(301);

		// The second workflow sends only the rejected row, and removes it from the table when it is accepted.
		const onlyRejected = example('jobs/onlyRejected');
		await testbed.editor.changeDataTableRow(table, ['number', 'C-0951'], { error: 'old' });
		await runWell(onlyRejected);
		expect(await testbed.editor.dataTableRows(table)).toEqual([rejected]);
		await testbed.editor.changeDataTableRow(table, ['number', 'C-0951'], { name: 'Named Ltd' });
		await runWell(onlyRejected);
		expect(await testbed.editor.dataTableRows(table)).toEqual([]);
		expect(recordsOf(customers).at(-1)?.text(customers.fields.name)).toBe('Named Ltd');
		expect(writes().length - writesBefore).toBe(3);
	});
});

it('the nightly PDF job attaches a PDF to each order of yesterday, or adds a comment with the reason', async () => {
	const old = testbed.service.data.storeFile(
		'old.pdf',
		'application/pdf',
		Buffer.from('%PDF- old'),
	);
	order(11).set(fields.contract, old);
	for (const id of [11, 12, 13]) order(id).set(fields.orderDate, daysAgo(1));
	order(14).set(fields.orderDate, daysAgo(0));
	testbed.service.faults.inject({
		kind: 'body',
		body: 'The printer is on fire.',
		times: Number.POSITIVE_INFINITY,
		when: ({ path }) => path.endsWith('/12.pdf'),
	});
	const before = contentOf(recordsOf(orders));
	await runWell(example('jobs/nightlyPdf'));

	expect(changedSince(before, recordsOf(orders))).toEqual([11, 13]);
	for (const id of [11, 13]) {
		const files = [order(id).value(fields.contract)].flat();
		expect(files).toEqual([expect.stringContaining(order(id).text(fields.orderNumber))]);
		const content = testbed.service.data.files.get(files[0] ?? '')?.content;
		expect(content?.toString('latin1')).toMatch(/^%PDF/);
		expect(content?.toString()).not.toBe('%PDF- old');
	}
	expect(order(12).comments.at(-1)?.text).toMatch(/^No PDF was made of this order\. .*says .*fire/);
	expect(recordsOf(orders).filter(({ comments }) => comments.at(-1)?.text.includes('PDF'))).toEqual(
		[order(12)],
	);
});

it('the approval job approves and ships only the orders that match the rule', async () => {
	const within = recordsOf(orders).filter((record) => {
		const isConfirmed = record.text(fields.status) === 'Confirmed';
		const isSmall = Number(record.text(fields.total)) <= 100;
		return isConfirmed && isSmall && record.text(fields.express) !== 'Yes';
	});
	expect(within.length).toBeGreaterThan(10);
	const before = contentOf(recordsOf(orders));
	const approvedBefore = recordsOf(orders).filter(({ approval }) => approval).length;
	await runWell(example('jobs/approveByRule'));

	expect(changedSince(before, recordsOf(orders))).toEqual(within.map(({ id }) => id));
	for (const record of within) {
		expect([record.text(fields.status), record.approval]).toEqual([
			'Shipped',
			expect.objectContaining({
				status: 'Approved',
				comment: expect.stringContaining('by rule'),
			}),
		]);
	}
	expect(recordsOf(orders).filter(({ approval }) => approval)).toHaveLength(
		approvedBefore + within.length,
	);
	// A second run finds no more orders.
	const tasks = testbed.service.tasks.all.length;
	await runWell(example('jobs/approveByRule'));
	expect(testbed.service.tasks.all).toHaveLength(tasks);
});

describe('the job that reports overdue orders', () => {
	const json = example('jobs/overdueOrders');
	/** Replaces the node that sends e-mail, because there is no e-mail server. */
	const nodes = json.nodes.map((node) =>
		node.type === 'n8n-nodes-base.emailSend'
			? { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {}, credentials: {} }
			: node,
	);
	const isClosed = (record: SheetRecord) =>
		['Shipped', 'Cancelled'].includes(record.text(fields.status));

	it('counts all overdue orders, and lists the ten oldest', async () => {
		order(3).set(fields.customerName, '').set(fields.status, 'Open');
		order(4).set(fields.orderDate, daysAgo(1)).set(fields.status, 'Open');
		const overdue = recordsOf(orders).filter(
			(record) => !isClosed(record) && record.id !== 3 && record.id !== 4,
		);
		const execution = await runWell({ ...json, nodes });
		const [report] = execution.json('Send the Report');
		expect(report?.subject).toBe(`${overdue.length} orders are overdue`);
		const dates = overdue.map((record) => record.text(fields.orderDate)).sort();
		const lines = String(report?.text).split('\n');
		expect(lines.map((line) => line.replace(/.* of (.*?),.*/, '$1'))).toEqual(dates.slice(0, 10));
	});

	it('sends no report if there are no overdue orders', async () => {
		for (const record of recordsOf(orders)) record.set(fields.status, 'Shipped');
		const execution = await runWell({ ...json, nodes });
		expect(execution.json('Overdue Orders')).toEqual([{ count: 0 }]);
		expect(execution.runs('Send the Report')).toBe(0);
	});
});

it('the import job waits until the import has ended', async () => {
	const sheet = testbed.service.data.sheet(customers);
	sheet.periodicImport.enabled = true;
	const json = example('jobs/importAndWait');
	const quicker = json.nodes.map((node) =>
		node.type === 'n8n-nodes-base.wait'
			? { ...node, parameters: { ...node.parameters, amount: 1 } }
			: node,
	);
	const isCheck = ({ query }: SeenRequest) =>
		query.some(([name, value]) => name === 'order' && /^109/.test(value));
	const checkCount = () => testbed.service.requests.all().filter(isCheck).length;
	const { since, city } = customers.fields;
	const late = sheet.record(5);
	// The import changes another record between the first and the second check.
	testbed.service.beforeRequest((request) => {
		if (!isCheck(request) || checkCount() !== 2) return;
		late.set(city, 'Imported late');
		late.updated = { at: Date.now() + 60_000, user: 'import' };
	});
	const execution = await runWell({ ...json, nodes: quicker });

	expect(execution.runs('Newest Change')).toBe(3);
	const dated = recordsOf(customers).filter((record) => record.text(since) === daysAgo(0));
	expect(dated.map((record) => record.text(customers.fields.customerNumber))).toEqual(['C-0901']);
	expect(recordsOf(customers).filter((record) => record.text(since) === '')).toEqual([]);
});

it('the search-and-replace job changes only the records that contain the old spelling', async () => {
	const cities: Array<[SheetAddress, string]> = [
		[customers, customers.fields.city],
		[orders, fields.city],
	];
	const affected = cities.map(([sheet, fieldId]) =>
		recordsOf(sheet).filter((record) => record.text(fieldId) === 'Lyon'),
	);
	expect(affected.map(({ length }) => length > 10)).toEqual([true, true]);
	const before = cities.map(([sheet]) => contentOf(recordsOf(sheet)));
	const execution = await runWell(example('jobs/searchAndReplace'));

	expect(execution.json('Tell Someone')).toEqual([]);
	for (const [index, [sheet, fieldId]] of cities.entries()) {
		const changed = changedSince(before[index] ?? new Map(), recordsOf(sheet));
		expect(changed).toEqual(affected[index]?.map(({ id }) => id));
		expect(recordsOf(sheet).filter((record) => record.text(fieldId) === 'Lyon')).toEqual([]);
	}
	expect(new Set(affected[1]?.map((record) => record.text(fields.city)))).toEqual(
		new Set(['Lyon (FR)']),
	);
	// One mass operation per spelling, not per record.
	expect(testbed.service.tasks.all).toHaveLength(3);
});

it('the copy job copies orders with their rows, and does not change the originals', async () => {
	const { lines } = orders.subtables;
	const sources = [order(15), order(6)];
	const rowsOf = (record: SheetRecord) =>
		[...record.rows(lines.id).values()].map((row) => [
			row.get(lines.fields.article),
			...[lines.fields.quantity, lines.fields.unitPrice].map((id) => Number(row.get(id))),
		]);
	order(15).set(fields.tags, ['Gift', 'Export']).set(fields.deliveryTime, '2023/02/01 10:00:00');
	const before = recordsOf(orders);
	const contents = contentOf(before);
	const rows = sources.map(rowsOf);
	const execution = await runWell(example('jobs/copyOrder'));

	expect(execution.json('Tell Someone')).toEqual([]);
	expect(changedSince(contents, before)).toEqual([]);
	expect(sources.map(rowsOf)).toEqual(rows);
	const copies = recordsOf(orders).filter(({ id }) => !contents.has(id));
	expect(copies.map(rowsOf)).toEqual(rows);
	for (const [index, copy] of copies.entries()) {
		const source = sources[index] ?? copy;
		for (const fieldId of [fields.customerNumber, fields.city, fields.remark, fields.total])
			expect(copy.text(fieldId)).toBe(source.text(fieldId));
		expect(copy.text(fields.reference)).toBe(`Repeat of ${source.text(fields.orderNumber)}`);
		expect(copy.text(fields.orderNumber)).not.toBe(source.text(fields.orderNumber));
		expect([copy.text(fields.status), copy.text(fields.deliveryTime)]).toEqual(['Open', '']);
	}
	expect(copies[0]?.value(fields.tags)).toEqual(['Gift', 'Export']);
});

it('the template job creates orders with the rows of a template, with their own values', async () => {
	const { lines } = orders.subtables;
	const articlesOf = (record: SheetRecord) =>
		[...record.rows(lines.id).values()].map((line) => line.get(lines.fields.article));
	const contents = contentOf(recordsOf(orders));
	const json = example('jobs/orderFromTemplate');
	const execution = await runWell(json);

	expect(execution.json('Tell Someone')).toEqual([]);
	const copies = recordsOf(orders).filter(({ id }) => !contents.has(id));
	expect(copies.map((copy) => copy.text(fields.reference))).toEqual([
		...['Spring, shop 1', 'Spring, shop 2'],
	]);
	for (const copy of copies) {
		expect(articlesOf(copy)).toEqual(articlesOf(order(12)));
		expect(copy.text(fields.customerNumber)).toBe(order(12).text(fields.customerNumber));
		expect([copy.text(fields.status), copy.text(fields.orderDate)]).toEqual(['Open', daysAgo(0)]);
	}
	const orderNumbers = [order(12), ...copies].map((copy) => copy.text(fields.orderNumber));
	expect(new Set(orderNumbers).size).toBe(3);
	expect(
		changedSince(
			contents,
			recordsOf(orders).filter(({ id }) => contents.has(id)),
		),
	).toEqual([]);
});

it('the enriching job adds the customer to each open order, with few requests', async () => {
	const { customerNumber, name, city, email } = customers.fields;
	const isOpen = (record: SheetRecord) => record.text(fields.status) === 'Open';
	order(3).set(fields.status, 'Open').set(fields.customerNumber, 'C-9999');
	const open = recordsOf(orders).filter(isOpen);
	testbed.service.requests.clear();
	const execution = await runWell(example('jobs/enrichOrders'));

	expect(execution.json('Tell Someone')).toEqual([]);
	const expected = open.map((record) => {
		const number = record.text(fields.customerNumber);
		const found = recordsOf(customers).find((other) => other.text(customerNumber) === number);
		const [Customer, City, mail] = [name, city, email].map((id) => found?.text(id) ?? '');
		const Total = record.text(fields.total);
		return {
			'Order Number': record.text(fields.orderNumber),
			Total,
			Customer,
			City,
			'E-mail': mail,
		};
	});
	const byNumber = (left: object, right: object) =>
		JSON.stringify(left).localeCompare(JSON.stringify(right));
	expect([...execution.json('Combine')].sort(byNumber)).toEqual(expected.sort(byNumber));
	expect(open.length).toBeGreaterThan(100);
	expect(testbed.service.requests.count).toBeLessThan(20);
});

describe('the job that archives and locks old orders', () => {
	const job = example('jobs/archiveAndLock');
	const isOld = (record: SheetRecord) =>
		['Shipped', 'Cancelled'].includes(record.text(fields.status)) && !record.locked;
	const lockedIds = () => recordsOf(orders).flatMap(({ id, locked }) => (locked ? [id] : []));
	const entries = () => recordsOf(empty).map((record) => record.text(empty.fields.title));

	it('archives and locks 100 old orders per run', async () => {
		order(2).set(fields.status, 'Shipped').set(fields.orderDate, daysAgo(30));
		const expected = recordsOf(orders).filter((record) => isOld(record) && record.id !== 2);
		const numbers = expected.map((record) => record.text(fields.orderNumber));
		const before = lockedIds();

		await runWell(job);
		const first = expected.slice(0, 100);
		expect(entries()).toEqual(numbers.slice(0, 100));
		expect(recordsOf(empty).map((record) => record.text(empty.fields.amount))).toEqual(
			first.map((record) => record.text(fields.total)),
		);
		expect(new Set(lockedIds())).toEqual(new Set([...before, ...first.map(({ id }) => id)]));

		await runWell(job);
		expect(entries()).toEqual(numbers.slice(0, 200));
		expect(lockedIds()).toHaveLength(before.length + 200);
	});

	it('locks nothing if an archive entry cannot be written, and the next run creates no duplicates', async () => {
		const before = lockedIds();
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"INVALID","code":202,"msg":"Not now."}',
			when: ({ method, path }) =>
				method === 'POST' && path.includes('/empty/') && recordsOf(empty).length === 40,
		});
		const execution = await run(job);
		expect(execution.status).toBe('error');
		expect([entries().length, lockedIds()]).toEqual([40, before]);

		await runWell(job);
		expect([entries().length, new Set(entries()).size]).toEqual([100, 100]);
		expect(lockedIds()).toHaveLength(before.length + 100);
	});
});
