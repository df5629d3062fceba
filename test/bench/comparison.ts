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

/** Time, memory and traffic of one client for one run of a workload. */
export interface Measurement extends Report {
	measuredClient: MeasuredClient;
	requests: number;
	megabytes: number;
}

/** Measurements of all clients; each round contains one measurement per client. */
export interface Comparison {
	work: Work;
	amount: number;
	rounds: Measurement[][];
}

const bytesInMegabyte = 1024 * 1024;

/** Measures all clients with the same workload, each run in a new process. */
export async function compare(
	work: Work,
	amount: number,
	repetitions: number,
	warmUpItems: number,
): Promise<Comparison> {
	const workload = await Workload.start(work, amount, warmUpItems);
	// The n8n helper only sends requests, so it cannot receive deliveries.
	const participants = measuredClients.filter((client) => work !== 'verify' || client !== 'helper');
	const rounds: Measurement[][] = [];
	try {
		// The first run is not counted. It warms up the service and records the requests that the other clients send.
		await measure(workload, 'node', []);
		const script = workload.script();
		for (let round = 0; round < repetitions; round += 1) {
			const measurements: Measurement[] = [];
			for (const measuredClient of rotated(participants, round)) {
				measurements.push(await measure(workload, measuredClient, script));
			}
			rounds.push(measurements);
		}
	} finally {
		await workload.service.close();
	}
	return { work, amount, rounds };
}

/** Rotates the list, so that each client runs first in some rounds. */
function rotated<T>(all: readonly T[], places: number): T[] {
	const start = places % all.length;
	return [...all.slice(start), ...all.slice(0, start)];
}

/** Measures one client in a new process. Throws Error if it did not do its work. */
export async function measure(
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
		if (!report) throw new Error('A process did not report its work');
		await ended;
		workload.demandDone(report.count);
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

/** Sends deliveries one at a time, like the service. */
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

/** Returns the number of bytes, including headers, on all connections of the servers in this process. */
function bytesServed(): number {
	let bytes = 0;
	for (const { bytesRead, bytesWritten } of sockets) bytes += bytesRead + bytesWritten;
	return bytes;
}

subscribe('http.server.request.start', (message) => {
	if (typeof message === 'object' && message !== null && 'socket' in message) {
		// Node.js documents that this is a Socket, but the type of the channel does not say so.
		sockets.add(message.socket as Socket);
	}
});
