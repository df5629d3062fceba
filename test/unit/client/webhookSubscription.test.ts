import { isSubscribed, subscribe, unsubscribe } from '../../../nodes/service/webhookSubscription';
import type { Subscription } from '../../../nodes/service/webhookSubscription';
import { webhookEvents } from '../../../nodes/wire/webhookDelivery';
import { FakeService } from './fakeService';
import type { FakeAnswer, FakeRequest } from './fakeService';

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

	it.each([
		['nothing', []],
		['an event less', [entry('Create'), entry('Update')]],
		['an event that nobody knows', [entry('CreateUpdateDeleteApprove')]],
		['the address of another', [entry('CreateUpdateDelete', 'https://x')]],
		['no list', { status: 'SUCCESS' }],
	])('but not with %s', async (_, body) => {
		const client = await new FakeService(() => ({ body })).connect();
		expect(await isSubscribed(client, subscription)).toBe(false);
	});

	it('but not with an event more', async () => {
		const client = await new FakeService(() => ({ body: [entry('CreateDelete')] })).connect();
		expect(await isSubscribed(client, { ...subscription, events: ['CREATE'] })).toBe(false);
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
			const { isDone, ...answer } = answers[Math.min(asked++, answers.length - 1)] ?? {
				isDone: false,
			};
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

	it('is not repeated when it was done, whatever became of the answer', async () => {
		for (const answer of [{ status: 504 }, { body: '{"stat' }, { body: '<html></html>' }]) {
			const outcome = await enter([{ ...answer, isDone: true }]);
			expect(outcome).toEqual({ outcome: 'entered', entries: 1, asked: 1 });
		}
	});

	it('is repeated when the service does not list the address after a doubt', async () => {
		const outcome = await enter([
			{ status: 502, isDone: false },
			{ status: 502, isDone: false },
			{ body: { status: 'SUCCESS' }, isDone: true },
		]);
		expect(outcome).toEqual({ outcome: 'entered', entries: 1, asked: 3 });
	});

	it('is given up after five attempts, without a doubt whether it was done', async () => {
		const { outcome, asked } = await enter([{ status: 503, isDone: false }]);
		expect(asked).toBe(5);
		expect(outcome).toMatchObject({
			kind: 'server',
			details: { description: expect.stringMatching(/^(?!.*not known whether).*Tried 5 times/) },
		});
	});

	it('is not repeated when the service refuses, or does not list what it confirmed', async () => {
		const refused = await enter([
			{ body: { status: 'ERROR', code: 108, msg: 'No' }, isDone: false },
		]);
		expect(refused).toMatchObject({ outcome: { kind: 'refused' }, asked: 1 });
		const silent = await enter([{ body: { status: 'SUCCESS' }, isDone: false }]);
		expect(silent).toMatchObject({
			outcome: { message: 'The service did not register the webhook' },
			asked: 1,
		});
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
