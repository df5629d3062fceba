import type { INodeParameters } from 'n8n-workflow';
import { orders, type Fault, type ReferenceServiceOptions, type SeenRequest } from '../../service';
import { sheet, useRecordTestbed, type RecordTestbed } from '../recordTestbed';
import { activatePolling, type Poller, type PollingOptions } from '../runner';
import { secretsFoundIn } from '../secrets';

const aMinute = 60_000;

/** The reference service of one test file, whose clock stands still, and nodes that poll it. */
export class PollingTestbed {
	private readonly pollers: Poller[] = [];

	/** Milliseconds since 1970, of the service and of n8n's machine, which is a day behind. */
	private now = 0;

	private behind = 0;

	constructor(readonly testbed: RecordTestbed) {}

	get service() {
		return this.testbed.service;
	}

	get people() {
		return this.service.people;
	}

	/** The requests since the last call of `forget`, of this service only. */
	get requests(): SeenRequest[] {
		return this.service.requests.all();
	}

	begin(): void {
		this.behind = 0;
		this.now = Date.UTC(2026, 0, 31, 9, 30);
		this.passSeconds(0);
	}

	passMinutes(minutes: number): void {
		this.passSeconds(minutes * 60);
	}

	/** The service's clock goes back, or the account's time zone moves. */
	setServiceBack(minutes: number): void {
		this.behind += minutes * aMinute;
		this.passSeconds(0);
	}

	passSeconds(seconds: number): void {
		this.now += seconds * 1000;
		this.service.clock.set(this.now - this.behind);
		jest.spyOn(Date, 'now').mockReturnValue(this.now - 24 * 60 * aMinute);
	}

	/** A node that polls the sheet of orders and has not polled yet. */
	async activate(
		parameters: INodeParameters = {},
		more: Partial<PollingOptions> = {},
	): Promise<Poller> {
		const poller = await activatePolling({
			parameters: { sheet: sheet(orders), ...parameters },
			credentials: this.testbed.credentials(),
			...more,
		});
		this.pollers.push(poller);
		return poller;
	}

	/** The same after its first poll. */
	async begun(
		parameters: INodeParameters = {},
		more: Partial<PollingOptions> = {},
	): Promise<Poller> {
		const poller = await this.activate(parameters, more);
		expect(await poller.poll()).toEqual([]);
		this.service.requests.forget();
		return poller;
	}

	/**
	 * The time of the next polls is over when such a request has come: it is not answered, and neither is any other
	 * like it.
	 */
	endPollsAt(poller: Poller, when: NonNullable<Fault['when']>, fault: Partial<Fault> = {}): void {
		const budget = 86_400_000;
		poller.host.budgetMilliseconds = budget;
		const end = new AbortController();
		const { timeout } = AbortSignal;
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) =>
				milliseconds === budget ? end.signal : timeout.call(AbortSignal, milliseconds),
			);
		const strikes: Fault['when'] = (request) => {
			const isMeant = when(request);
			if (isMeant) setImmediate(() => end.abort());
			return isMeant;
		};
		this.service.faults.inject({ kind: 'hang', ...fault, when: strikes, times: Infinity });
	}

	/** Polls have all the time again. */
	endPollsNoMore(poller: Poller): void {
		poller.host.budgetMilliseconds = undefined;
		this.service.faults.clear();
	}

	/** Fails when n8n would store, show or log a secret. */
	end(): void {
		const found = this.pollers.splice(0).flatMap((poller) => {
			poller.close();
			return secretsFoundIn(poller.recorded, this.service);
		});
		expect(found).toEqual([]);
		jest.restoreAllMocks();
	}
}

/** One service for a test file, with few orders. */
export function usePollingTestbed(options?: ReferenceServiceOptions): PollingTestbed {
	const testbed = new PollingTestbed(useRecordTestbed({ demoRecords: 30, ...options }));
	beforeEach(() => testbed.begin());
	afterEach(() => testbed.end());
	return testbed;
}

/** Returns the events and record IDs of items, as short texts. */
export function emittedChanges(items: ReadonlyArray<Record<string, unknown>>): string[] {
	return items.map(({ event, recordId }) => `${String(event)} ${String(recordId)}`);
}
