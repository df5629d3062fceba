import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Call, type ServiceState } from '../call';
import { answerCall } from '../endpoints';
import { listForPicker } from '../endpoints/discovery';
import { downloadFile } from '../endpoints/file';
import { checkCredential, logIn, sessionCookie } from '../endpoints/login';
import { answerSubscription, publicKey } from '../endpoints/webhooks';
import type { Faults } from '../faults';
import { isObject } from '../json';
import { steadyTime, type RequestLog, type SeenRequest } from '../requestLog';
import { errorAnswer, htmlAnswer, textAnswer, type Answer } from './answer';
import { authenticate, recognise, type Proof } from './authentication';
import { readBody, textsIn, type RequestBody } from './body';
import { sendHalf, strikeAfterWork, strikeBeforeWork } from './faultyAnswers';
import type { Load } from './load';
import { bodyParameters, Query } from './query';
import { ServiceError, wrongMethod } from './serviceError';
import { accountTarget, isDocumentPath, serviceTargets, type Target } from './target';
import type { Switches } from '../switches';

/** Cookie of a load balancer in front of the service. It authenticates nobody. Seen on an error response. */
const balancerCookie = 'AFFINITY=server-7-of-the-balancer; Path=/';

/** Runs before the service works on a request. If it returns a promise, the request waits for it. */
export type RequestHook = (request: SeenRequest) => unknown;

/** Handles a request from arrival to answer: log, hooks, faults, limits, latency, identity, endpoint. */
export class RequestHandler {
	/** Hooks in order of execution. */
	readonly hooks = new Set<RequestHook>();

	private readonly seenByRequest = new WeakMap<FastifyRequest, SeenRequest>();

	constructor(
		private readonly state: ServiceState,
		private readonly log: RequestLog,
		private readonly faults: Faults,
		private readonly load: Load,
	) {}

	/** Logs the request before its body has arrived. */
	begin(request: FastifyRequest, reply: FastifyReply): void {
		const rawUrl = request.raw.url ?? '/';
		const query = new Query(rawUrl);
		const seen: SeenRequest = {
			method: request.method,
			path: rawUrl.split('?')[0] ?? '',
			rawUrl,
			query: query.parameters.map(({ name, value }) => [name, value]),
			headers: { ...request.headers },
			body: undefined,
			files: [],
			identity: recognise(request.headers, query, this.state),
			status: 0,
			answered: 0,
			at: steadyTime(),
			durationMs: 0,
			inFlightAtStart: this.log.openRequests.size,
		};
		this.seenByRequest.set(request, seen);
		this.log.begin(seen);
		reply.raw.on('close', () => this.log.end(seen, 0));
		if (this.faults.cutsUnread(seen)) this.cut(seen, request, reply);
	}

	async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const seen = this.seen(request);
		if (this.faults.isDeafTo(seen)) return reply.hijack();
		const body = await readBody(request, this.state.uploads);
		noteBody(seen, body);
		for (const hook of [...this.hooks]) await hook(seen);

		const fault = this.faults.strike(seen);
		const replacement = fault && strikeBeforeWork(fault);
		if (replacement === 'hang') return reply.hijack();
		if (replacement === 'cut') return this.cut(seen, request, reply);
		if (replacement) return this.send(seen, replacement, reply);

		const answer = await this.produce(seen, body);
		const changed = fault ? strikeAfterWork(fault, answer) : answer;
		if (changed === 'cut') return this.cut(seen, request, reply);
		if (changed !== 'cutInside' && changed !== 'stallInside') {
			return this.send(seen, changed, reply);
		}
		this.log.end(seen, answer.status);
		return sendHalf(answer, request, reply, changed === 'cutInside' ? 'cut' : 'stall');
	}

	/** Answers a request that could not be read. */
	async refuse(
		request: FastifyRequest,
		reply: FastifyReply,
		message: string,
	): Promise<FastifyReply> {
		return this.send(this.seen(request), textAnswer(message, 400), reply);
	}

	private seen(request: FastifyRequest): SeenRequest {
		const seen = this.seenByRequest.get(request);
		if (!seen) throw new Error('The request was never begun.');
		return seen;
	}

	private send(seen: SeenRequest, answer: Answer, reply: FastifyReply): FastifyReply {
		const { status, headers, body } = answer;
		reply.code(status).headers(headers);
		if (typeof body === 'string' || Buffer.isBuffer(body)) {
			seen.answered = body.length;
			this.log.end(seen, status);
			return reply.send(body);
		}
		const stream = body.open();
		stream.once('end', () => this.log.end(seen, status));
		return reply.header('content-length', body.size).send(stream);
	}

	private cut(seen: SeenRequest, request: FastifyRequest, reply: FastifyReply): FastifyReply {
		this.log.end(seen, 0);
		reply.hijack();
		request.raw.socket.destroy();
		return reply;
	}

	private async produce(seen: SeenRequest, body: RequestBody): Promise<Answer> {
		const query = new Query(seen.rawUrl);
		try {
			const overload = this.load.admit(seen);
			if (overload) return overload;
			const { latencyMilliseconds } = this.state.switches;
			if (latencyMilliseconds > 0) await wait(latencyMilliseconds, undefined, { ref: false });
			return await this.work(seen, query, body);
		} catch (error) {
			const answer = errorAnswer(error, query, this.state, seen.method);
			if (this.opensSessions) answer.headers['set-cookie'] = balancerCookie;
			return answer;
		}
	}

	private async work(seen: SeenRequest, query: Query, body: RequestBody): Promise<Answer> {
		const { state } = this;
		const { switches } = state;
		const target = serviceTargets.get(seen.path);
		if (target?.kind === 'login' && seen.method === 'POST') query.add(textsIn(body));
		else if (target && seen.method === 'POST' && isSubscriptionForm(target, switches)) {
			query.add([...textsIn(body), ['event', 'CreateUpdateDelete']]);
		} else if (target && seen.method !== 'GET') throw wrongMethod();
		if (target?.kind === 'login') return logIn(seen.headers, query, state);
		if (target?.kind === 'credentialCheck') return checkCredential(seen.headers, query, state);
		if (target?.kind === 'publicKey') return publicKey(query, state);
		if (target?.kind === 'file' && switches.filesAreOpen) {
			return downloadFile(query, undefined, state);
		}
		const proof = authenticate(seen.headers, query, state);
		if (this.load.mistakesForGuest(proof)) throw new ServiceError('noAccessRight');
		if (target?.kind === 'file') return downloadFile(query, proof, state);
		const call: Call = { ...proof, state, query, body, method: seen.method, notes: [] };
		if (target?.kind === 'subscription') return answerSubscription(target.endpoint, call);
		if (target?.kind === 'picker') {
			const answer = listForPicker(call);
			this.addCookie(answer, proof, seen);
			return answer;
		}
		// The web interface answers requests without the mark of an API request.
		const needsMark =
			!isDocumentPath(seen.path) && !(proof.byApiKey && switches.apiFlag === 'notWithKey');
		if (seen.method !== 'GET' && switches.bodyParameters === 'known') {
			query.add(textsIn(body).filter(([name]) => bodyParameters.has(name)));
		}
		if (needsMark && !query.has('api')) return htmlAnswer('Please log in.');
		if (body.kind === 'unreadable') {
			throw new ServiceError('parameters', 'The body is neither form data nor JSON.');
		}
		const answer = await answerCall(call, accountTarget(seen.path, state));
		this.addCookie(answer, proof, seen);
		return seen.method === 'POST' && query.has('html') ? htmlAnswer('Saved.') : answer;
	}

	private addCookie(answer: Answer, { byApiKey, identity }: Proof, { method }: SeenRequest): void {
		if (!this.opensSessions || !byApiKey || method !== 'GET') return;
		const session = this.state.sessions.ofKey(identity);
		answer.headers['set-cookie'] = sessionCookie(session, this.state);
	}

	/** Whether reads with a key open a session: if a switch says so, or if files need a session. */
	private get opensSessions(): boolean {
		const { keyReadsOpenSession, filesNeedSession } = this.state.switches;
		return keyReadsOpenSession || filesNeedSession !== false;
	}
}

/** Returns whether a form may register a receiver: an older form of registration, without events. */
function isSubscriptionForm(target: Target, { subscriptionForm }: Switches): boolean {
	const isSubscribing = target.kind === 'subscription' && target.endpoint === 'subscribe';
	return isSubscribing && subscriptionForm === 'accepted';
}

function noteBody(seen: SeenRequest, body: RequestBody): void {
	if (body.kind === 'json') seen.body = parsedObject(body.text);
	if (body.kind !== 'form') return;
	seen.body = body.fields;
	seen.files = body.files.map(({ content, ...file }) => ({ ...file, size: content.size }));
}

function parsedObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
