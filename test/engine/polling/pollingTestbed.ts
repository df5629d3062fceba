import type { INodeParameters } from 'n8n-workflow';
import { orders, type Fault, type ReferenceServiceOptions, type SeenRequest } from '../../service';
import { sheet, useRecordTestbed, type RecordTestbed } from '../recordTestbed';
import { activatePolling, type Poller, type PollingOptions } from '../runner';
import { secretsFoundIn } from '../secrets';

const aMinute = 60_000;

/** Reference service with a stopped clock, and nodes that poll it. */
export class PollingTestbed {
	private readonly pollers: Poller[] = [];

	/** Current time, in ms since 1970. The clock of n8n's machine is one day behind. */
	private now = 0;

	private setBackMilliseconds = 0;

	constructor(readonly testbed: RecordTestbed) {}

	get service() {
		return this.testbed.service;
	}

	get people() {
		return this.service.people;
	}

	/** Requests to this service since the last call of `forget`. */
	get requests(): SeenRequest[] {
		return this.service.requests.all();
	}

	begin(): void {
		this.setBackMilliseconds = 0;
		this.now = Date.UTC(2026, 0, 31, 9, 30);
		this.passSeconds(0);
	}

	passMinutes(minutes: number): void {
		this.passSeconds(minutes * 60);
	}

	/** Sets the service's clock back, as a change of the account's time zone does. */
	setServiceBack(minutes: number): void {
		this.setBackMilliseconds += minutes * aMinute;
		this.passSeconds(0);
	}

	passSeconds(seconds: number): void {
		this.now += seconds * 1000;
		this.service.clock.set(this.now - this.setBackMilliseconds);
		jest.spyOn(Date, 'now').mockReturnValue(this.now - 24 * 60 * aMinute);
	}

	/** Activates a node on the orders, without a first poll. */
	async activate(
		parameters: INodeParameters = {},
		overrides: Partial<PollingOptions> = {},
	): Promise<Poller> {
		const poller = await activatePolling({
			parameters: { sheet: sheet(orders), ...parameters },
			credentials: this.testbed.credentials(),
			...overrides,
		});
		this.pollers.push(poller);
		return poller;
	}

	/** Activates a node on the orders, and runs its first poll. */
	async begun(
		parameters: INodeParameters = {},
		overrides: Partial<PollingOptions> = {},
	): Promise<Poller> {
		const poller = await this.activate(parameters, overrides);
		expect(await poller.poll()).toEqual([]);
		this.service.requests.forget();
		return poller;
	}

	/**
	 * Ends the time limit of the next polls, or of a part with a `share` of it, when a matching request arrives. Matching requests
	 * are not answered.
	 */
	endPollsAt(
		poller: Poller,
		when: NonNullable<Fault['when']>,
		fault: Partial<Fault> = {},
		share = 1,
	): void {
		const budget = 86_400_000;
		poller.host.budgetMilliseconds = budget;
		const end = new AbortController();
		const { timeout } = AbortSignal;
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((milliseconds) =>
				milliseconds === budget * share ? end.signal : timeout.call(AbortSignal, milliseconds),
			);
		const strikes: Fault['when'] = (request) => {
			const isMeant = when(request);
			if (isMeant) setImmediate(() => end.abort());
			return isMeant;
		};
		this.service.faults.inject({ kind: 'hang', ...fault, when: strikes, times: Infinity });
	}

	/** Removes the time limit of polls. */
	endPollsNoMore(poller: Poller): void {
		poller.host.budgetMilliseconds = undefined;
		this.service.faults.clear();
	}

	/** Fails if n8n would store, show or log a secret. */
	end(): void {
		const found = this.pollers.splice(0).flatMap((poller) => {
			poller.close();
			return secretsFoundIn(poller.recorded, this.service);
		});
		expect(found).toEqual([]);
		jest.restoreAllMocks();
	}
}

/** Starts one service with few orders for a test file. */
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
