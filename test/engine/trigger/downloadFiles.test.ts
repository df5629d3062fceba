import type { INodeExecutionData } from 'n8n-workflow';
import { orders } from '../../service';
import { numbers } from '../recordTestbed';
import { PollingTestbed } from '../polling/pollingTestbed';
import { readBinary } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed(130);
const { contract, remark } = orders.fields;
const parameters = (output: string) => ({
	options: { downloadFiles: 'Contract', fieldKeys: 'name', output },
});
const isFile = ({ path }: { path: string }) => path === '/sims/file.jsp';

let polling: PollingTestbed;

beforeEach(() => {
	polling = new PollingTestbed(trigger.testbed);
	polling.begin();
});

afterEach(() => polling.end());

/** Changes the orders. Returns the items with which each trigger started the workflow. */
async function itemsOfBoth(recordIds: number[], output: string): Promise<INodeExecutionData[][]> {
	const listener = await trigger.subscribe(parameters(output));
	const poller = await polling.begun(parameters(output));
	await trigger.changeTogether(recordIds);
	await listener.settled();
	while ((await poller.poll()).length > 0);
	return [listener, poller].map(({ executions }) => executions.flatMap(({ items }) => items));
}

function giveFile(recordId: number, ...rest: string[]): void {
	const { data } = trigger.service;
	const name = `of ${recordId}.txt`;
	const value = data.storeFile(name, 'text/plain', Buffer.from(name));
	data.record(orders, recordId).set(contract, [value, ...rest]);
}

it.each(['event', 'record'])(
	'an item in the format %s has the files of its record',
	async (output) => {
		giveFile(5, 'gone@old.pdf');
		for (const items of await itemsOfBoth([5, 6], output)) {
			const [five, six] = items;
			expect(Object.keys(five?.binary ?? {})).toEqual(['Contract_1']);
			const file = five?.binary?.Contract_1;
			expect((await readBinary(file)).toString()).toBe('of 5.txt');
			expect(five?.json._warning).toMatch(/^'old.pdf' of 'Contract' was not downloaded: .+\.$/);
			expect([six?.binary, six?.json._warning]).toEqual([{}, undefined]);
		}
	},
);

it('a delivery right after a rename and a restart has the files under the last known name', async () => {
	giveFile(5);
	const options = { downloadFiles: contract, fieldKeys: 'name' };
	const listener = await trigger.listen({ options });
	await listener.post(trigger.body([5]));
	for (const field of trigger.service.data.sheet(orders).fields)
		if (field.id === contract) field.name = 'Agreement';
	listener.forgetProcess();
	await listener.restart();
	await listener.post(trigger.body([5]));
	const items = listener.executions.flatMap((execution) => execution.items);
	expect(items.map(({ binary = {}, json }) => [Object.keys(binary), json._warning])).toEqual([
		[['Contract_1'], undefined],
		[['Contract_1'], undefined],
	]);
});

it('a poll right after a rename has the files under the new name', async () => {
	giveFile(5);
	const poller = await polling.begun({ options: { downloadFiles: contract } });
	for (const field of trigger.service.data.sheet(orders).fields)
		if (field.id === contract) field.name = 'Agreement';
	trigger.service.people.edit(orders, 5, { [remark]: 'after' });
	await poller.poll();
	const items = poller.executions.flatMap((execution) => execution.items);
	expect(items.map(({ binary = {} }) => Object.keys(binary))).toEqual([['Agreement_1']]);
});

const fileRequests = () => trigger.service.requests.all().filter(isFile);
const notFetched = 'not downloaded: at most 50 files are downloaded at a time.';

it('with many changes, a delivery has 50 files and names the others, and a poll emits 50 changes with their files', async () => {
	const recordIds = numbers(120);
	for (const id of recordIds) giveFile(id);
	const [delivered = [], polled = []] = await itemsOfBoth(recordIds, 'event');
	const isWith = ({ binary }: INodeExecutionData) => Object.keys(binary ?? {}).length === 1;
	expect(delivered.map(isWith)).toEqual(recordIds.map((_, index) => index < 50));
	expect(delivered.map(({ json }) => json._warning)).toEqual(
		recordIds.map((id) => (id > 50 ? `'of ${id}.txt' of 'Contract' was ${notFetched}` : undefined)),
	);
	expect(new Set(polled.map(({ json }) => json.recordId))).toEqual(new Set(recordIds));
	expect([polled.length, polled.every(isWith)]).toEqual([120, true]);
	expect(fileRequests()).toHaveLength(50 + 120);
});

it('for a record with 500 files, a delivery and a poll fetch 50 files each and name the others', async () => {
	const { data } = trigger.service;
	const names = numbers(500).map((number) => `of ${number}.txt`);
	const values = names.map((name) => data.storeFile(name, 'text/plain', Buffer.from(name)));
	data.record(orders, 5).set(contract, values);
	for (const items of await itemsOfBoth([5, 6], 'record')) {
		const [five, six] = items;
		const binary = five?.binary ?? {};
		expect(Object.values(binary).map(({ fileName }) => fileName)).toEqual(names.slice(0, 50));
		const missing = names.slice(50).map((name) => `'${name}'`);
		expect(five?.json._warning).toBe(`${missing.join(', ')} of 'Contract' were ${notFetched}`);
		expect(six?.json._warning).toBeUndefined();
	}
	expect(fileRequests()).toHaveLength(100);
});

it('fields that cannot be looked up and a file that is missing are both named', async () => {
	giveFile(5, 'gone@old.pdf');
	const listener = await trigger.listen({ options: { downloadFiles: contract, fieldKeys: 'id' } });
	listener.forgetProcess();
	const isSheet = ({ path }: { path: string }) => path.startsWith('/acme');
	trigger.service.faults.inject({ kind: 'status', status: 503, when: isSheet, times: Infinity });
	await listener.post(trigger.body([5]));
	trigger.service.faults.clear();
	const [item] = await listener.items();
	expect(item?._warning).toMatch(/^Files may be missing.*\. 'old\.pdf' of .* was not downloaded: /);
});

it('if the service lists no fields, files are missing, and the first item says so', async () => {
	giveFile(5);
	const options = { downloadFiles: 'Contract', fieldKeys: 'id' };
	const listener = await trigger.listen({ options });
	listener.forgetProcess();
	const isSheet = ({ path }: { path: string }) => path.startsWith('/acme');
	trigger.service.faults.inject({ kind: 'status', status: 503, when: isSheet, times: Infinity });
	await listener.post(trigger.body([5, 6]));
	trigger.service.faults.clear();
	const [first, second] = await listener.items();
	expect(first?._warning).toMatch(/^Files may be missing.*not available at the moment\.$/);
	expect(second).not.toHaveProperty('_warning');
});

it('if the service lists no fields, a poll emits its changes, and the first one says that files may be missing', async () => {
	const poller = await polling.begun({ options: { downloadFiles: contract, fieldKeys: 'id' } });
	for (const recordId of [5, 6]) {
		giveFile(recordId);
		polling.people.edit(orders, recordId, { [remark]: 'changed' });
	}
	poller.startProcess();
	const isFieldList = ({ rawUrl }: { rawUrl: string }) =>
		/\/metadata\/schema|[?&]def\b|naming=FNAME/.test(rawUrl);
	trigger.service.faults.inject({
		...{ kind: 'status', status: 503, when: isFieldList, times: Infinity },
	});
	const [first, second] = await poller.poll();
	trigger.service.faults.clear();
	expect(first?._warning).toMatch(/^Files may be missing.*not available at the moment\.$/);
	expect([first?.recordId, second?.recordId]).toEqual([5, 6]);
	expect(second).not.toHaveProperty('_warning');
});

it('a poll whose time limit ends during the download of a file emits the change', async () => {
	giveFile(5);
	const poller = await polling.begun(parameters('event'));
	polling.people.edit(orders, 5, { [remark]: 'changed' });
	polling.endPollsAt(poller, isFile);
	expect(await poller.poll()).toEqual([
		expect.objectContaining({
			recordId: 5,
			_warning: "'of 5.txt' of 'Contract' was not downloaded: n8n could not store it in time.",
		}),
	]);
});

it.each(['name', 'id'])(
	'a field of Download Files that the sheet does not have fails the activation, with Field Keys %s',
	async (fieldKeys) => {
		const options = { downloadFiles: 'No Such Field', fieldKeys };
		await expect(trigger.listen({ options })).rejects.toThrow('No Such Field');
	},
);
