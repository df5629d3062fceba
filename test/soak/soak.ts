// Comes before all that loads n8n-workflow.
import { startClock } from '../engine/clock';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sleep } from 'n8n-workflow';
import { print } from '../demo/display';
import { prepareBinaryStore } from '../engine/runner/binary';
import { packageTypes } from '../engine/runner';
import { RecordTestbed } from '../engine/recordTestbed';
import { startReferenceService } from '../service';
import { Deliveries } from './deliveries';
import { Executions } from './executions';
import { Polls } from './polls';
import { heapByQuarter, leftOpen, notFlat, openNow, take, type Sample } from './verdict';

const aMinute = 60_000;
/** When so much is done, the run ends although there is time left. */
const enough = { executions: 10_000, deliveries: 100_000 };

/** Runs everything until the time is over or enough is done, and prints what it measured. Gives what is wrong. */
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

	const end = Date.now() + minutes * aMinute;
	for (let round = 0; Date.now() < end; round++) {
		// The latest key counts after a minute, and what was learnt of sheets is forgotten.
		startClock();
		await sleep(aMinute);
		await sleep(aMinute);
		deliveries.rotateKey(round);
		await executions.round(
			() => deliveries.startOver(),
			async () => await deliveries.someTogether(),
		);
		await deliveries.activateAnew();
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
	return [...problems, ...notFlat(samples), ...(await leftOpen(before))];
}

/** What is loaded once a process, and stays. */
async function loadAll(): Promise<void> {
	await packageTypes();
	await prepareBinaryStore();
	// Its first start loads the rest.
	const service = await startReferenceService({ demoRecords: 60 });
	await service.close();
}

/** What the service keeps is not the matter here. */
function clear({ service }: RecordTestbed): void {
	service.reset();
	if (service.sessionIds instanceof Set) service.sessionIds.clear();
}
