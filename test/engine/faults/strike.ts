import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, SeenRequest, Switches } from '../../service';
import type { RecordTestbed } from '../recordTestbed';
import type { Clock } from '../clock';
import type { IsRequest, Network } from './network';

export interface Strike {
	testbed: RecordTestbed;
	matches: IsRequest;
	times: number;
	network: Network;
	clock: Clock;
	elsewhere: string;
}

export type Bring = (strike: Strike) => void;

const slowMilliseconds = 35_000;
const hour = 3_600_000;
const page = '<!DOCTYPE html><html><title>Maintenance</title></html>';

/** Functions that cause the faults of the table. */
export const faults = new Map<string, Bring>([
	['connection refused', refuse],
	['reset before the request was read', service({ kind: 'resetUnread' })],
	['reset after the request was read', service({ kind: 'reset' })],
	['reset after the work', service({ kind: 'resetAfterWork' })],
	['answer cut in the middle', service({ kind: 'truncate' })],
	['half an answer as if it were whole', service({ kind: 'truncateSilently' })],
	['HTTP 408', status(408)],
	['HTTP 429 with Retry-After', status(429, { headers: { 'retry-after': '2' } })],
	['HTTP 429 without Retry-After', status(429)],
	['HTTP 429 by a clock that is ahead', retryAtTimeOfClock(hour)],
	['HTTP 429 by a clock that is behind', retryAtTimeOfClock(-hour)],
	['HTTP 500', status(500)],
	['HTTP 502', status(502)],
	['HTTP 503', status(503)],
	['HTTP 504', status(504)],
	['HTTP 504 after the work', status(504, { afterWork: true })],
	['code 203', code(203)],
	['code 203 after the work', code(203, { afterWork: true })],
	['code 204', code(204)],
	['queue full, code 204', fullQueue('code204')],
	['queue full, HTTP 429', fullQueue('status429')],
	['queue full, HTTP 503', fullQueue('status503')],
	['slow answer', slow],
	['hanging answer', silent({ kind: 'hang' })],
	['answer that stops in the middle', silent({ kind: 'stall' })],
	['redirect to another host (302)', redirect(302)],
	['redirect to another host (307)', redirect(307)],
	['web page instead of data', service({ kind: 'body', body: page })],
	['web page after the work', service({ kind: 'body', body: page, afterWork: true })],
	['session ended, code 301', endSession('code301')],
	['session ended, code 302', endSession('code302')],
	['session ended, HTTP 401', endSession('status401')],
]);

export function strike(fault: string, how: Strike): void {
	const bring = faults.get(fault);
	if (!bring) throw new Error(`Nobody knows how to bring about: ${fault}`);
	bring(how);
}

function service(fault: Fault): Bring {
	return ({ testbed, matches, times }) => {
		testbed.inject({ ...fault, when: matches, times });
	};
}

function status(number: number, overrides: Partial<Fault> = {}): Bring {
	return service({ kind: 'status', status: number, ...overrides });
}

function code(number: number, overrides: Partial<Fault> = {}): Bring {
	const msg = number === 203 ? 'The POST request did not finish.' : 'Request frequency too high.';
	const body = JSON.stringify({ status: 'ERROR', code: number, msg });
	return service({ kind: 'body', body, ...overrides });
}

function refuse({ testbed, matches, times, network }: Strike): void {
	network.refuse(testbed.service.baseUrl, matches, times);
}

/** Returns the fault with a Retry-After two seconds ahead, by a server clock that is wrong by this time in ms. */
function retryAtTimeOfClock(wrongBy: number): Bring {
	return (how) => {
		const now = Date.now() + wrongBy;
		const headers = {
			date: new Date(now).toUTCString(),
			'retry-after': new Date(now + 2_000).toUTCString(),
		};
		status(429, { headers })(how);
	};
}

function redirect(number: number): Bring {
	return (how) => {
		const location = `${how.elsewhere}/acme/sales/orders/1?api`;
		service({ kind: 'redirect', status: number, location })(how);
	};
}

/** Fills the queue of the service whenever a matching request arrives. */
function fullQueue(overloadAnswer: Switches['overloadAnswer']): Bring {
	return ({ testbed, matches, times }) => {
		const { switches } = testbed.service;
		switches.overloadAnswer = overloadAnswer;
		let left = times;
		testbed.service.beforeRequest((request) => {
			const isStruck = matches(request) && request.method === 'GET' && left > 0;
			switches.queueLength = isStruck ? 0 : 50;
			if (isStruck) left -= 1;
		});
	};
}

function slow({ testbed, matches, times, clock }: Strike): void {
	let left = times;
	testbed.service.beforeRequest(async (request) => {
		if (matches(request) && left-- > 0)
			await wait(clock.real(slowMilliseconds), undefined, { ref: false });
	});
}

/** Sends half an answer or nothing, and then triggers the time-out of the request. */
function silent(fault: Fault): Bring {
	return ({ testbed, matches, times, network }) => {
		const { baseUrl, faults: waiting } = testbed.service;
		const when = (request: SeenRequest) => {
			if (!matches(request)) return false;
			setImmediate(() => setTimeout(() => network.timeOut(baseUrl), 400));
			return true;
		};
		waiting.inject({ ...fault, when, times });
	};
}

/** Ends all sessions when a matching request arrives. The next session stays valid. */
function endSession(expiredSessionAnswer: Switches['expiredSessionAnswer']): Bring {
	return ({ testbed, matches, times }) => {
		testbed.service.switches.expiredSessionAnswer = expiredSessionAnswer;
		let left = times;
		testbed.service.beforeRequest((request) => {
			if (matches(request) && left-- > 0) testbed.service.expireSessions();
		});
	};
}
