import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Agent, request } from 'undici';
import { childProcess, nextMessage } from './childProcess';
import {
	measuredClients,
	type FromProcess,
	type MeasuredClient,
	type Report,
	type ScriptedRequest,
	type Work,
} from './task';
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
	const taking = measuredClients.filter((client) => work !== 'verify' || client !== 'helper');
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
	const child = childProcess('measuredProcess.ts', workload.taskFor(measuredClient, script));
	const ended = once(child, 'exit');
	try {
		const { url } = await nextMessage<FromProcess>(child);
		workload.startOver();
		const before = bytesServed();
		child.send('go');
		const sent = url === undefined ? undefined : await deliverAll(workload, url);
		if (sent) child.send('end');
		const { report } = await nextMessage<FromProcess>(child);
		if (!report) throw new Error('A process told nothing of its work');
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

const sockets = new Set<Socket>();

/** All bytes that went through the connections of this process's servers, headers included. */
function bytesServed(): number {
	let bytes = 0;
	for (const { bytesRead, bytesWritten } of sockets) bytes += bytesRead + bytesWritten;
	return bytes;
}

subscribe('http.server.request.start', (message) => {
	if (typeof message === 'object' && message !== null && 'socket' in message) {
		// Node says that it is one; the channel's type does not.
		sockets.add(message.socket as Socket);
	}
});
