// Must be imported before all modules that load n8n-workflow.
import { startClock } from '../engine/clock';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import { print } from '../demo/display';
import { prepareBinaryStore } from '../engine/runner/binary';
import { packageTypes } from '../engine/runner';
import { RecordTestbed } from '../engine/recordTestbed';
import { startReferenceService } from '../service';
import { usedHeap } from '../usedHeap';
import { Deliveries } from './deliveries';
import { Executions } from './executions';
import { Polls } from './polls';
import {
	heapByQuarter,
	leftOpen,
	minSamples,
	notFlat,
	openNow,
	take,
	type Sample,
} from './verdict';

const minute = 60_000;
const megabyte = 1024 * 1024;
/** Rounds in which the code of all operations is loaded and compiled. It stays in memory. */
const warmUpRounds = 3;
/** Maximum heap in use after an hour without work, in MB, beyond that of the first rounds. Compiled code does not count. */
const maxIdleMegabytes = 5;
/** The run ends early when it has reached both numbers. */
const enough = { executions: 10_000, deliveries: 100_000 };

/**
 * Runs executions, deliveries and polls until a limit of time or work is reached, but at least `minSamples` rounds. Prints
 * measurements. Returns the problems.
 */
export async function soak(minutes: number): Promise<string[]> {
	startClock();
	await loadAll();
	const before = openNow();
	const testbed = new RecordTestbed();
	await testbed.start({ demoRecords: 60 });
	const problems = new Set<string>();
	const executions = new Executions(testbed, (problem) => problems.add(problem));
	const deliveries = await Deliveries.begin(testbed, (problem) => problems.add(problem));
	const polls = await Polls.begin(testbed, (problem) => problems.add(problem));
	const samples: Sample[] = [];

	const end = Date.now() + minutes * minute;
	for (let round = 0; Date.now() < end || samples.length < minSamples; round++) {
		// Advance the clock, so that triggers may fetch a new public key again and cached data about sheets expires.
		startClock();
		await sleep(minute);
		await sleep(minute);
		deliveries.rotateKey(round);
		await executions.round(
			() => deliveries.startOver(),
			async () => await deliveries.sendBatch(),
		);
		await deliveries.reactivate();
		await polls.round();
		clear(testbed);
		await nextTurn();
		samples.push(take());
		if (executions.done >= enough.executions && deliveries.sent >= enough.deliveries) break;
	}
	print(`${executions.done} executions, ${deliveries.sent} deliveries, ${polls.done} polls`);
	print(`Heap in MB, by quarters: ${heapByQuarter(samples)}`);

	polls.close();
	await deliveries.close();
	await testbed.stop();
	const open = await leftOpen(before);
	return [...problems, ...notFlat(samples), ...open, ...(await heldWhenIdle(samples))];
}

/** Returns a problem if an hour without work leaves much more heap in use than when the work began. */
async function heldWhenIdle(samples: readonly Sample[]): Promise<string[]> {
	startClock();
	for (let minutes = 0; minutes < 61; minutes++) await sleep(minute);
	for (let collection = 0; collection < 10; collection++) {
		usedHeap();
		await nextTurn();
	}
	const dataOf = ({ heap, code }: Sample) => heap - code;
	const before = samples.slice(0, warmUpRounds).map(dataOf);
	const held = (dataOf(take()) - Math.max(...before)) / megabyte;
	print(`Heap after an hour without work: ${held.toFixed(2)} MB more than in the beginning`);
	return held < maxIdleMegabytes
		? []
		: [`An hour without work leaves ${held.toFixed(2)} MB in use`];
}

/** Loads everything that is loaded once per process and stays in memory. */
async function loadAll(): Promise<void> {
	await packageTypes();
	await prepareBinaryStore();
	// The first start of the service loads the remaining modules.
	const service = await startReferenceService({ demoRecords: 60 });
	await service.close();
}

/** Clears the data of the service, so that it does not affect the memory measurements. */
function clear({ service }: RecordTestbed): void {
	service.reset();
	if (service.sessionIds instanceof Set) service.sessionIds.clear();
}
