import {
	isSubscribed,
	subscribe,
	undoSubscribe,
	unsubscribe,
} from '../../../../nodes/api/webhooks/subscription';
import type { Subscription } from '../../../../nodes/api/webhooks/subscription';
import { webhookEvents } from '../../../../nodes/api/webhooks/delivery';
import type { WebhookEvent } from '../../../../nodes/api/webhooks/delivery';
import { FakeService, type FakeAnswer } from '../http/fakeService';

const url = 'https://n8n.example/webhook/1';
const subscription: Subscription = {
	sheet: { folders: ['sales'], sheetIndex: 1 },
	url,
	events: webhookEvents,
};
const entry = (event: unknown, address = url) => ({ url: address, event });

it.each<[string, boolean, unknown, WebhookEvent[]?]>([
	['one entry', true, [entry('CreateUpdateDelete')]],
	['small letters', true, [entry('createupdatedelete')]],
	['commas', true, [entry('Create, Update, Delete')]],
	['another order', true, [entry('DeleteCreateUpdate')]],
	['an entry for each event', true, [entry('Delete'), entry('create'), entry('UPDATE')]],
	['a list of events', true, [entry(['CREATE', 'UPDATE', 'DELETE'])]],
	['an entry for each event but one', false, [entry('Delete'), entry('create')]],
	['two entries with the same events', false, [entry('CreateUpdateDelete'), entry('Update')]],
	['no events', false, [entry('')]],
	['entries of other addresses', false, [entry('CreateUpdateDelete', `${url}0`)]],
	['an event that nobody knows', false, [entry('CreateUpdateDeleteApprove')]],
	['another entry that nobody knows', false, [entry('CreateUpdateDelete'), entry('Approve')]],
	['an event more', false, [entry('CreateUpdateDelete')], ['CREATE', 'DELETE']],
])(
	'an address with %s counts as registered: %s',
	async (_, expected, body, events = [...webhookEvents]) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, { ...subscription, events })).toBe(expected);
	},
);

it.each<[unknown]>([[{}], [{ status: 'SUCCESS' }], [{ webhooks: [entry('CreateUpdateDelete')] }]])(
	'it is not known whether an address is registered if the service answers without a list: %j',
	async (body) => {
		const client = await new FakeService(() => ({ body })).connect();
		const message = 'The service did not return the list of webhooks of the sheet';
		await expect(isSubscribed(client, subscription)).rejects.toMatchObject({ message });
	},
);

it.each([
	['none', [], []],
	['those of other addresses', [entry('Update', `${url}0`)], []],
	['each of several entries', [entry('Delete'), entry('Create')], ['Delete', 'Create']],
	['in one spelling', [entry('create,delete'), entry('DELETE')], ['CreateDelete', 'Delete']],
	['each once', [entry('Delete'), entry('DELETE')], ['Delete']],
	['others that nobody knows', [entry('Approve')], ['Approve']],
])(
	'removing an address removes exactly the events that the sheet lists for it: %s',
	async (_, entries, expected) => {
		const service = new FakeService(({ url: { pathname } }) =>
			pathname.includes('webhooks.jsp') ? { body: entries } : { body: { status: 'SUCCESS' } },
		);
		await unsubscribe(await service.connect(), { ...subscription, events: ['UPDATE'] });
		const removals = service.requests.filter(({ url }) => url.pathname.includes('Unsubscribe'));
		expect(removals.map(({ url }) => url.searchParams.get('event'))).toEqual(expected);
	},
);

describe('registering an address', () => {
	const entered = entry('CreateUpdateDelete');

	/** Returns a service that answers the registration and then has these entries. */
	async function registered(answer: FakeAnswer, entries: unknown) {
		const service = new FakeService(({ url: { pathname } }) =>
			pathname.includes('webhooks.jsp') ? { body: entries } : answer,
		);
		const failure = await subscribe(await service.connect({ account: 'my acme' }), {
			...subscription,
			sheet: { folders: ['sales', 'a b'], sheetIndex: 3 },
		}).catch((error: unknown) => error);
		return { failure, requests: service.requests };
	}

	it('sends the sheet, the address and the events, and checks the list', async () => {
		const { failure, requests } = await registered({ body: 'OK' }, [entered]);
		expect(failure).toBeUndefined();
		expect(requests.map(({ method, url: { pathname } }) => `${method} ${pathname}`)).toEqual([
			...['GET /sims/webhookSubscribe.jsp', 'GET /sims/webhooks.jsp'],
		]);
		expect(requests.map(({ url: { searchParams } }) => [...searchParams])).toEqual([
			[
				['n8n', ''],
				['ap', 'my acme'],
				['path', '/sales/a b'],
				['si', '3'],
				['url', url],
				['event', 'CreateUpdateDelete'],
			],
			[
				['n8n', ''],
				['ap', 'my acme'],
				['path', '/sales/a b'],
				['si', '3'],
			],
		]);
	});

	it.each<{ title: string; answer: FakeAnswer; kind: string; message: string }>([
		{
			title: 'a confirmation without an entry',
			answer: { body: 'OK' },
			kind: 'refused',
			message: 'The service did not register the webhook',
		},
		{
			title: 'an unknown outcome without an entry',
			answer: { status: 500 },
			kind: 'server',
			message: 'The service answered with HTTP 500',
		},
	])('fails after $title', async ({ answer, kind, message }) => {
		expect((await registered(answer, [])).failure).toMatchObject({ kind, message });
	});

	it.each<{ title: string; answer: FakeAnswer; kind: string }>([
		{ title: 'a refusal', answer: { status: 403 }, kind: 'noAccess' },
		{
			title: 'an error response',
			answer: { body: ' {"status":"ERROR","code":106}' },
			kind: 'noAccess',
		},
		{ title: 'a refused login', answer: { body: ' -1 ' }, kind: 'authentication' },
	])('fails with $title, and does not request the list', async ({ answer, kind }) => {
		const { failure, requests } = await registered(answer, [entered]);
		expect(failure).toMatchObject({ kind });
		expect(requests.filter(({ url: { pathname } }) => pathname.includes('webhooks.jsp'))).toEqual(
			[],
		);
	});

	it.each<{ title: string; answer: FakeAnswer }>([
		{ title: 'an unknown outcome', answer: { status: 500 } },
		{ title: 'a web page', answer: { body: ' <html></html>' } },
		{ title: 'a text that begins as a refused login', answer: { body: '-12' } },
		{ title: 'any text', answer: { body: 'x {' } },
	])('succeeds with an entry after $title', async ({ answer }) => {
		expect((await registered(answer, [entered])).failure).toBeUndefined();
	});
});

/** Returns a service that lists the entries, and gives the answer to each removal. */
function removalService(entries: () => unknown, answer: FakeAnswer) {
	return new FakeService(({ url: { pathname } }) =>
		pathname.includes('webhooks.jsp') ? { body: entries() } : answer,
	);
}

const removalsOf = ({ requests }: FakeService) =>
	requests
		.filter(({ url: { pathname } }) => pathname.includes('Unsubscribe'))
		.map(({ url: { searchParams } }) => searchParams.get('url'));

it.each([
	['with a slash at its end', 'https://n8n.example/webhook/1/'],
	['with a port and capital letters', 'HTTPS://N8N.example:443/webhook/1'],
])('an address that is listed %s is registered, and is removed as listed', async (_, listed) => {
	const service = removalService(() => [entry('CreateUpdateDelete', listed)], { body: 'OK' });
	const client = await service.connect();
	expect(await isSubscribed(client, subscription)).toBe(true);
	await unsubscribe(client, subscription);
	expect(removalsOf(service)).toEqual([listed]);
});

it('an address that is listed percent-encoded is removed as it is', async () => {
	const entries = [entry('Delete', encodeURIComponent(url))];
	const service = removalService(() => entries, { body: 'OK' });
	await unsubscribe(await service.connect(), subscription);
	expect(removalsOf(service)).toEqual([url]);
});

it.each([
	['without an answer in JSON', { status: 404, body: '<html>Not found</html>' }],
	['with an error response', { body: { status: 'ERROR', code: 404, msg: 'Not found.' } }],
])('an entry that is gone when it is removed is no error: %s', async (_, answer) => {
	const lists = [[entry('Delete')], []];
	const service = removalService(() => lists.shift(), answer);
	await unsubscribe(await service.connect(), subscription);
	expect(lists).toEqual([]);
});

it.each([
	['is refused', { status: 403 }, 'noAccess'],
	['is answered with 404 while it stays listed', { status: 404 }, 'notFound'],
])('an address whose removal %s is an error', async (_, answer, kind) => {
	const service = removalService(() => [entry('Delete')], answer);
	const removal = unsubscribe(await service.connect(), subscription);
	await expect(removal).rejects.toHaveProperty('kind', kind);
});

it.each([
	{ list: { status: 'SUCCESS' }, after: 'no list' },
	{ list: [entry('Delete')], after: 'a list with the address' },
])('a removal that is answered with 404 is an error if $after follows', async ({ list }) => {
	const lists = [[entry('Delete')], list];
	const service = removalService(() => lists.shift(), { status: 404 });
	const removal = unsubscribe(await service.connect(), subscription);
	await expect(removal).rejects.toHaveProperty('kind', 'notFound');
	expect(lists).toEqual([]);
});

it('nothing is removed if the service does not return a list', async () => {
	const service = removalService(() => ({ status: 'SUCCESS' }), { body: 'OK' });
	const removal = unsubscribe(await service.connect(), subscription);
	await expect(removal).rejects.toThrow('did not return the list of webhooks');
	expect(removalsOf(service)).toEqual([]);
});

it.each([
	['does not list it', { body: [] }],
	['does not return a list', { status: 403 }],
])('a failed registration is undone even if the service %s', async (_, list) => {
	const service = new FakeService(({ url: { pathname } }) =>
		pathname.includes('webhooks.jsp') ? list : { body: 'OK' },
	);
	await undoSubscribe(await service.connect(), subscription);
	expect(removalsOf(service)).toEqual([url]);
});
