import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';

import type { MeasuredClient, FromProcess, Report, ScriptedRequest, ToProcess, Work } from './task';
import { measuredClients } from './task';
import { bytesServed } from './traffic';
import { Workload } from './workload';

/** What one measuredClient took for one piece of work. */
export interface Measurement extends Report {
	measuredClient: MeasuredClient;
	requests: number;
	megabytes: number;
}

/** What all measuredClients took, one after the other, as often as it was repeated. */
export interface Comparison {
	work: Work;
	amount: number;
	rounds: Measurement[][];
}

const bytesInMegabyte = 1024 * 1024;

/** Lets the measuredClients do the same in turns, each time in processes of their own. */
export async function compare(
	work: Work,
	amount: number,
	repetitions: number,
): Promise<Comparison> {
	const workload = await Workload.start(work, amount);
	// There is no loop over requests where requests come in.
	const taking = measuredClients.filter((one) => work !== 'verify' || one !== 'helper');
	const rounds: Measurement[][] = [];
	try {
		// Not counted: it warms the service up and tells what the others are to send.
		await measure(workload, 'node', []);
		const script = workload.script();
		for (let round = 0; round < repetitions; round += 1) {
			const measurements: Measurement[] = [];
			for (const measuredClient of turned(taking, round)) {
				measurements.push(await measure(workload, measuredClient, script));
			}
			rounds.push(measurements);
		}
	} finally {
		await workload.service.close();
	}
	return { work, amount, rounds };
}

/** Nobody is always first. */
function turned<T>(all: readonly T[], places: number): T[] {
	const start = places % all.length;
	return [...all.slice(start), ...all.slice(0, start)];
}

async function measure(
	workload: Workload,
	measuredClient: MeasuredClient,
	script: ScriptedRequest[],
): Promise<Measurement> {
	workload.startOver();
	const file = join(__dirname, 'measuredProcess.ts');
	const child = fork(file, { execArgv: process.execArgv });
	const ended = once(child, 'exit');
	try {
		tell(child, { kind: 'task', task: workload.taskFor(measuredClient, script) });
		const ready = await told(child, 'ready');
		workload.startOver();
		const before = bytesServed();
		tell(child, { kind: 'go' });
		const sent = ready.url === undefined ? undefined : await deliverAll(workload, ready.url);
		if (sent) tell(child, { kind: 'end' });
		const { report } = await told(child, 'report');
		await ended;
		workload.demandDone(report.came);
		return {
			measuredClient,
			...report,
			requests: sent?.requests ?? workload.service.requests.count,
			megabytes: (sent?.bytes ?? bytesServed() - before) / bytesInMegabyte,
		};
	} finally {
		child.kill();
	}
}

/** Sends deliveries as the service does, each after the answer to the one before. */
async function deliverAll(
	workload: Workload,
	url: string,
): Promise<{ requests: number; bytes: number }> {
	const agent = new Agent();
	const bodies = workload.deliveries();
	let bytes = 0;
	for (let index = 0; index < workload.amount; index += 1) {
		const body = bodies[index % bodies.length] ?? '';
		const headers = { 'content-type': 'application/json' };
		const answer = await request(url, { method: 'POST', body, headers, dispatcher: agent });
		await answer.body.dump();
		if (answer.statusCode !== 200) throw new Error(`Refused with ${answer.statusCode}`);
		bytes += Buffer.byteLength(body);
	}
	await agent.close();
	return { requests: workload.amount, bytes };
}

function tell(child: ChildProcess, message: ToProcess): void {
	child.send(message);
}

async function told<Kind extends FromProcess['kind']>(
	child: ChildProcess,
	kind: Kind,
): Promise<Extract<FromProcess, { kind: Kind }>> {
	return await new Promise((resolve, reject) => {
		const fail = () => reject(new Error('A process ended before its work was done'));
		const listen = (message: FromProcess) => {
			if (!isOfKind(message, kind)) return;
			child.off('message', listen);
			child.off('exit', fail);
			resolve(message);
		};
		child.on('message', listen);
		child.once('exit', fail);
	});
}

function isOfKind<Kind extends FromProcess['kind']>(
	message: FromProcess,
	kind: Kind,
): message is Extract<FromProcess, { kind: Kind }> {
	return message.kind === kind;
}
