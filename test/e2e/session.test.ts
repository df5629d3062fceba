import { chain, items, recordLocator, sheetRecords } from './chain';
import { useN8nTestbed } from './n8nTestbed';

const testbed = useN8nTestbed();

it('a session that expires during a run is renewed once, and n8n stores the new session across a restart', async () => {
	const { service, n8n } = testbed;
	const credential = await testbed.session();
	const ids = [1, 2, 3, 4];
	const get = { operation: 'get', recordId: recordLocator('={{ $json.id }}') };
	const readFour = chain(
		'Four orders',
		...items(...ids.map((id) => ({ id }))),
		sheetRecords('Get', credential, get),
	);
	const run = async () => {
		const execution = await testbed.run(readFour, credential);
		const read = execution.json('Get').map(({ _recordId }) => _recordId);
		expect([execution.status, read]).toEqual(['success', ids]);
		return service.requests.all().filter(({ path }) => path === '/AUTH').length;
	};
	service.switches.sessionLifetimeRequests = 2;
	expect(await run()).toBe(2);
	service.switches.sessionLifetimeRequests = undefined;
	expect(await run()).toBe(2);
	await n8n.restart();
	expect(await run()).toBe(2);
});
