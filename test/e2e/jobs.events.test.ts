import { customers, empty, orders, siteVisits, tasks } from '../service';
import type { SavedCredential, SavedWorkflow } from './editor';
import { example } from './chain';
import { isDeletionCheck, isPoll, pollingFrequently } from './schedule';
import { useJobs } from './jobs';
import { until } from './until';

// Jobs that start with an event: a submitted form, a changed record, a webhook call.
const { testbed, credential, order } = useJobs();
const { fields } = orders;

/** Activates a job, and waits until n8n serves the address of its trigger. */
async function activate(
	name: string,
	addressOf: (webhookId: string) => string,
	...otherCredentials: SavedCredential[]
): Promise<{ workflow: SavedWorkflow; address: string }> {
	const json = pollingFrequently(example(name));
	const workflow = await testbed.editor.importWorkflow(json, [credential(), ...otherCredentials]);
	await testbed.editor.activate(workflow);
	const webhookId = workflow.nodes.find(({ type }) => /trigger$/i.test(type))?.webhookId ?? '';
	const address = `${testbed.n8n.url}/${addressOf(webhookId)}`;
	await until(async () => (await fetch(address, { method: 'POST' })).status !== 404);
	return { workflow, address };
}

describe('the job that attaches a file to an order', () => {
	let address: string;

	beforeAll(async () => {
		({ address } = await activate('jobs/attachFile', (webhookId) => `form/${webhookId}`));
	});

	/** Submits the form with a file, like a browser. Returns the text of the final page. */
	async function submitForm(orderNumber: string): Promise<string> {
		const body = new FormData();
		body.append('field-0', orderNumber);
		const file = new Blob(['%PDF-1.7 signed'], { type: 'application/pdf' });
		body.append('field-1', file, 'Vertrag für Süd.pdf');
		const answer = await fetch(address, { method: 'POST', body });
		const { formWaitingUrl }: { formWaitingUrl: string } = JSON.parse(await answer.text());
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		await until(async () => (await (await fetch(status)).text()) === 'form-waiting');
		const page = await fetch(formWaitingUrl);
		return await page.text();
	}

	it('adds the file to the order with the given number', async () => {
		const old = testbed.service.data.storeFile(
			'old.pdf',
			'application/pdf',
			Buffer.from('%PDF- old'),
		);
		order(20).set(fields.contract, [old]);
		expect(await submitForm(` ${order(20).text(fields.orderNumber)} `)).toContain('Thank you');
		const files = [order(20).value(fields.contract)].flat();
		expect(files).toHaveLength(2);
		const added = testbed.service.data.files.get(files[1] ?? '');
		expect([added?.name, added?.content.toString()]).toEqual([
			'Vertrag für Süd.pdf',
			'%PDF-1.7 signed',
		]);
	});

	it('reports an unknown order number to the user', async () => {
		expect(await submitForm('SO-99999')).toContain('Please look again');
		expect(testbed.service.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});

describe('the job that saves a form with a file', () => {
	let address: string;

	beforeAll(async () => {
		({ address } = await activate('jobs/formWithFiles', (webhookId) => `form/${webhookId}`));
	});

	/** Submits the form with a visit and its report, like a browser. Returns the text of the final page. */
	async function submitForm(site: string): Promise<string> {
		const body = new FormData();
		body.append('field-0', site);
		body.append('field-1', '2026-01-31');
		const file = new Blob(['%PDF-1.7 report'], { type: 'application/pdf' });
		body.append('field-2', file, 'Bericht für Süd.pdf');
		const answer = await fetch(address, { method: 'POST', body });
		const { formWaitingUrl }: { formWaitingUrl: string } = JSON.parse(await answer.text());
		const status = new URL(formWaitingUrl);
		status.pathname += '/n8n-execution-status';
		await until(async () => (await (await fetch(status)).text()) === 'form-waiting');
		return await (await fetch(formWaitingUrl)).text();
	}

	const visits = () => [...testbed.service.data.sheet(siteVisits).records.values()];

	it('creates one record with its file, and thanks the user', async () => {
		const before = visits().length;
		expect(await submitForm(' Lyon 99 ')).toContain('Thank you');
		expect(visits()).toHaveLength(before + 1);
		const visit = visits().at(-1);
		const { site, visitedOn, report } = siteVisits.fields;
		expect([site, visitedOn].map((fieldId) => visit?.text(fieldId))).toEqual([
			'Lyon 99',
			'2026/01/31',
		]);
		const [file, ...otherFiles] = [visit?.value(report)].flat().filter((value) => value !== '');
		expect(otherFiles).toEqual([]);
		const stored = testbed.service.data.files.get(String(file));
		expect(stored?.content.toString()).toBe('%PDF-1.7 report');
	});

	it('tells the user that a visit was not saved', async () => {
		const before = visits().length;
		expect(await submitForm('   ')).toContain('Please look again');
		expect(visits()).toHaveLength(before);
	});
});

it('the reaction to a change does not cause another reaction', async () => {
	const { workflow, address } = await activate(
		'jobs/reactWithoutLoop',
		(webhookId) => `webhook/${webhookId}/webhook`,
	);
	testbed.service.webhooks.register(orders, address);
	testbed.service.people.edit(orders, 5, { [fields.remark]: 'Changed by a person' });
	// The write of the first execution starts the second execution, which writes nothing.
	const executions = await testbed.editor.endedExecutions(workflow, 2);
	expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
	await testbed.service.webhooks.settled();
	const expectedAddress = `${order(5).text(fields.customerNumber)}/${order(5).text(fields.orderNumber)}`;
	expect(order(5).text(fields.reference)).toBe(expectedAddress);
	expect(testbed.service.requests.all().filter(({ method }) => method !== 'GET')).toHaveLength(1);
	expect(testbed.service.webhooks.log.map(({ status }) => status)).toEqual([200, 200]);
	expect(await testbed.editor.executions(workflow)).toHaveLength(2);
	await testbed.editor.deactivate(workflow);
});

it('the watch over a trigger reports it only while the newest change has not started the workflow', async () => {
	const { clock, people, webhooks } = testbed.service;
	const table = await testbed.editor.createDataTable('heartbeats', ['trigger', 'at'], []);
	const json = example('jobs/triggerAlive');
	const reported = async () => {
		const execution = await testbed.runFrom('Every 15 Minutes', json, credential());
		expect([execution.status, execution.error]).toEqual(['success', undefined]);
		return execution.json('Tell Someone').map(({ message }) => message);
	};
	const anHour = 3_600_000;
	clock.set(Date.now() - anHour);
	people.edit(orders, 5, { [fields.remark]: 'not noticed' });
	expect(await reported()).toEqual([
		expect.stringMatching(/record 5 was changed at .*last started a workflow at no time\.$/),
	]);

	const { workflow, address } = await activate(
		'jobs/triggerAlive',
		(webhookId) => `webhook/${webhookId}/webhook`,
	);
	webhooks.register(orders, address);
	people.edit(orders, 6, { [fields.remark]: 'noticed' });
	await testbed.editor.endedExecutions(workflow, 1);
	expect(await testbed.editor.dataTableRows(table)).toEqual([
		expect.objectContaining({ trigger: 'orders', at: expect.stringMatching(/^20/) }),
	]);
	expect(await reported()).toEqual([]);
	await testbed.editor.deactivate(workflow);
});

describe('jobs with the polling trigger', () => {
	const hasAnswered = (kind: typeof isPoll) =>
		testbed.service.requests.all().some((request) => kind(request) && request.status > 0);
	let workflow: SavedWorkflow;

	afterEach(async () => await testbed.editor.deactivate(workflow));

	it('changes are copied to a data table, and deleted records are removed from it', async () => {
		const { people } = testbed.service;
		const { customerNumber, name, city } = customers.fields;
		const columns = ['record', 'number', 'name', 'city', 'email'];
		const table = await testbed.editor.createDataTable('customers', columns, [
			{ record: '5', city: 'Before' },
			{ record: '6', city: 'As it was' },
			{ record: '7', city: 'Gone soon' },
		]);
		const json = pollingFrequently(example('jobs/syncChanges'));
		workflow = await testbed.editor.importWorkflow(json, [credential()]);
		await testbed.editor.activate(workflow);
		await until(() => hasAnswered(isPoll) && hasAnswered(isDeletionCheck));

		people.edit(customers, 5, { [city]: 'Reykjavík' });
		people.delete(customers, 7);
		const added = people.create(customers, { [customerNumber]: 'C-0999', [name]: 'Newcomer Ltd' });
		const rows = async () =>
			(await testbed.editor.dataTableRows(table)).map((row) => [row.record, row.number, row.city]);
		const number = testbed.service.data.record(customers, 5).text(customerNumber);
		const expectedEvents = [
			['5', number, 'Reykjavík'],
			['6', null, 'As it was'],
			[String(added.id), 'C-0999', expect.anything()],
		];
		await until(async () => (await rows()).length === 3 && (await rows())[0]?.[2] !== 'Before');
		expect(await rows()).toEqual(expectedEvents);
	});

	it('a change received by webhook and by polling is written once', async () => {
		const { people, webhooks, switches, data, requests } = testbed.service;
		const activated = await activate(
			'jobs/webhookAndNet',
			(webhookId) => `webhook/${webhookId}/webhook`,
		);
		({ workflow } = activated);
		await until(() => hasAnswered(isPoll));
		const itemsOf = async (node: string) => {
			const list = await testbed.editor.executions(workflow);
			const succeeded = list.filter(({ status }) => status === 'success');
			const ended = await Promise.all(succeeded.map(({ id }) => testbed.editor.execution(id)));
			return ended.flatMap((execution) => execution.json(node));
		};
		const itemsOfRecord = async (node: string, id: number) =>
			(await itemsOf(node)).filter(({ _recordId }) => _recordId === id);
		const { title, amount } = empty.fields;
		const entries = () =>
			[...data.sheet(empty).records.values()].map((record) => record.text(title));

		// Hide the change from polls until the webhook has been processed.
		switches.filterLagMilliseconds = 3_600_000;
		webhooks.register(orders, activated.address);
		people.edit(orders, 5, { [fields.remark]: 'told at once, and by polling' });
		await until(() => entries().length === 1);
		switches.filterLagMilliseconds = 0;
		await until(async () => (await itemsOfRecord('As a Net', 5)).length > 0);
		webhooks.clear();
		people.edit(orders, 6, { [fields.remark]: 'told by polling' });
		await until(async () => (await itemsOfRecord('As a Net', 6)).length > 0);
		expect(await itemsOfRecord('At Once', 5)).toEqual([
			expect.objectContaining({ _source: 'service' }),
		]);
		expect(entries()).toEqual([5, 6].map((id) => order(id).text(fields.orderNumber)));
		expect([...data.sheet(empty).records.values()].map((record) => record.text(amount))).toEqual(
			[5, 6].map((id) => order(id).text(fields.total)),
		);
		const writes = requests.all().filter(({ method }) => method === 'POST');
		expect(writes).toHaveLength(2);
		const actions = (await itemsOf('Keep in Step')).map(({ _action }) => _action);
		expect(actions.sort()).toEqual(['created', 'created', 'unchanged']);
	});
});

describe('the job that prevents duplicates with upsert', () => {
	const secret = 'known to the shop only';
	const shopOrders = [
		{ reference: 'WEB-1', customer: 'C-0007', date: '2026-03-02', remark: 'First' },
		{ reference: ' web-1 ', customer: 'C-0007', date: '2026-03-02', remark: 'Corrected' },
		{ reference: 'REF-5', customer: 'C-0007', date: '2026-03-02', remark: 'Which of them?' },
		{ reference: 'WEB-2', customer: 'C-0120', date: '2026-03-03', remark: 'Second' },
	];
	let address: string;

	beforeAll(async () => {
		const shop = await testbed.editor.createCredential('httpHeaderAuth', {
			name: 'x-shop-key',
			value: secret,
		});
		({ address } = await activate('jobs/dedupe', () => 'webhook/orders-of-the-shop', shop));
	});

	async function deliver(key: string): Promise<number> {
		const answer = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-shop-key': key },
			body: JSON.stringify({ orders: shopOrders }),
		});
		return answer.status;
	}

	it('creates one record per order, even if the order is received several times', async () => {
		const sheet = testbed.service.data.sheet(orders);
		const before = sheet.records.size;
		const ambiguous = [...sheet.records.values()].filter(
			(record) => record.text(fields.reference) === 'REF-5',
		);
		expect(ambiguous.length).toBeGreaterThan(1);
		expect([await deliver(secret), await deliver(secret)]).toEqual([200, 200]);

		const added = [...sheet.records.values()].slice(before);
		const { reference, customerNumber, orderDate, remark } = fields;
		expect(
			added.map((record) =>
				[reference, customerNumber, orderDate, remark].map((fieldId) => record.text(fieldId)),
			),
		).toEqual([
			['WEB-1', 'C-0007', '2026/03/02', 'Corrected'],
			['WEB-2', 'C-0120', '2026/03/03', 'Second'],
		]);
		expect(ambiguous.filter((record) => record.text(remark) === 'Which of them?')).toEqual([]);
		const reviewTasks = [...testbed.service.data.sheet(tasks).records.values()].filter((record) =>
			record.text(tasks.fields.title).includes('of the shop'),
		);
		expect(reviewTasks.map((record) => record.text(tasks.fields.title))).toEqual([
			'Look at the order REF-5 of the shop',
		]);
	});

	it('answers with an error if saving fails, so that the shop sends the orders again', async () => {
		testbed.service.faults.inject({
			kind: 'status',
			status: 503,
			times: Number.POSITIVE_INFINITY,
			when: ({ path, method }) => path.includes('/tasks/') && method === 'POST',
		});
		expect(await deliver(secret)).toBe(500);
	});
});
