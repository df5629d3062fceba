import { isSubscribed, subscribe, unsubscribe } from '../../../../nodes/api/webhooks/subscription';
import type { Subscription } from '../../../../nodes/api/webhooks/subscription';
import { webhookEvents } from '../../../../nodes/api/webhooks/delivery';
import type { WebhookEvent } from '../../../../nodes/api/webhooks/delivery';
import { FakeService } from '../http/fakeService';
import type { FakeAnswer, FakeRequest } from '../http/fakeService';

const url = 'https://n8n.example/webhook/1';
const subscription: Subscription = {
	sheet: { folders: ['sales'], sheetIndex: 1 },
	url,
	events: webhookEvents,
};
const entry = (event: unknown, address = url) => ({ url: address, event });
const isEntering = ({ url: { pathname } }: FakeRequest) => pathname.includes('webhookSubscribe');

describe('an address counts as entered', () => {
	it.each([
		['one entry', [entry('CreateUpdateDelete')]],
		['words in another order', [entry('DeleteCreateUpdate')]],
		['words in other letters, with commas between', [entry('create, update, delete')]],
		['a list of words', [entry(['CREATE', 'UPDATE', 'DELETE'])]],
		['an entry for each event', [entry('Delete'), entry('Create'), entry('Update')]],
		['entries of others between', [entry('CreateUpdateDelete'), entry('Create', 'https://x')]],
	])('with %s', async (_, body) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, subscription)).toBe(true);
	});

	it.each<[string, unknown, WebhookEvent[]?]>([
		['nothing', []],
		['an event less', [entry('Create'), entry('Update')]],
		['an event that nobody knows', [entry('CreateUpdateDeleteApprove')]],
		['the address of another', [entry('CreateUpdateDelete', 'https://x')]],
		['no list', { status: 'SUCCESS' }],
		['an event more', [entry('CreateUpdateDelete')], ['CREATE', 'DELETE']],
	])('but not with %s', async (_, body, events = [...webhookEvents]) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, { ...subscription, events })).toBe(false);
	});
});

describe('entering an address', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	/** Enters the address in a service that does it, or not, before it answers each time as it is told to. */
	async function enter(answers: ReadonlyArray<FakeAnswer & { isDone: boolean }>) {
		let entries = 0;
		let asked = 0;
		const service = new FakeService((request) => {
			if (!isEntering(request)) {
				return { body: entries > 0 ? [entry('CreateUpdateDelete')] : [] };
			}
			const index = Math.min(asked++, answers.length - 1);
			const { isDone = false, ...answer } = answers[index] ?? {};
			if (isDone) entries++;
			return answer;
		});
		const ended = subscribe(await service.connect(), subscription).then(
			() => 'entered',
			(error: unknown) => error,
		);
		await jest.advanceTimersByTimeAsync(600_000);
		return { outcome: await ended, entries, asked };
	}

	const entered = 'entered';
	const success = { body: { status: 'SUCCESS' } };
	const refused = { body: { status: 'ERROR', code: 108, msg: 'No' } };
	const triedInVain = {
		kind: 'server',
		details: { description: expect.stringMatching(/^(?!.*not known whether).*Tried 5 times/) },
	};

	it.each<[what: string, Array<FakeAnswer & { isDone: boolean }>, object]>([
		['done, and HTTP 504', [{ status: 504, isDone: true }], { outcome: entered, asked: 1 }],
		[
			'done, and half an answer',
			[{ body: '{"stat', isDone: true }],
			{ outcome: entered, asked: 1 },
		],
		['done, and a page', [{ body: '<html></html>', isDone: true }], { outcome: entered, asked: 1 }],
		[
			'not done after a doubt',
			[...Array(2).fill({ status: 502, isDone: false }), { ...success, isDone: true }],
			{ outcome: entered, asked: 3 },
		],
		['never done', [{ status: 503, isDone: false }], { outcome: triedInVain, asked: 5 }],
		['refused', [{ ...refused, isDone: false }], { outcome: { kind: 'refused' }, asked: 1 }],
		[
			'confirmed, but not listed',
			[{ ...success, isDone: false }],
			{ outcome: { message: 'The service did not register the webhook' }, asked: 1 },
		],
	])('is repeated only when it was surely not done: %s', async (_, answers, expected) => {
		const { entries, ...rest } = await enter(answers);
		expect(rest).toMatchObject(expected);
		expect(entries).toBe(answers.some(({ isDone }) => isDone) ? 1 : 0);
	});
});

describe('removing an address', () => {
	/** The events that the service is asked to remove. */
	async function removed(entries: unknown): Promise<Array<string | null>> {
		const service = new FakeService(({ url: { pathname } }) =>
			pathname.includes('webhooks.jsp') ? { body: entries } : { body: { status: 'SUCCESS' } },
		);
		await unsubscribe(await service.connect(), { ...subscription, events: ['UPDATE'] });
		return service.requests
			.filter(({ url: { pathname } }) => pathname.includes('Unsubscribe'))
			.map(({ url: { searchParams } }) => searchParams.get('event'));
	}

	it.each([
		['the chosen ones', [entry('Update')], ['Update']],
		['others', [entry('CreateDelete')], ['Update', 'CreateDelete']],
		['each of several entries', [entry('Delete'), entry('Create')], ['Update', 'Delete', 'Create']],
		['others in an order of the service', [entry('DELETE,create')], ['Update', 'CreateDelete']],
		['others that nobody knows', [entry('Approve')], ['Update', 'Approve']],
		['none, as far as the service tells', [], ['Update']],
		['none: the address is of another', [entry('Create', 'https://x')], ['Update']],
		['none: there is no list', { status: 'SUCCESS' }, ['Update']],
	])('removes the events that are entered: %s', async (_, entries, expected) => {
		expect(await removed(entries)).toEqual(expected);
	});
});
