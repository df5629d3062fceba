import { detectDialect, dialectOf } from '../../../nodes/api/http/dialect';
import { logIn } from '../../../nodes/api/http/login';
import type { processState } from '../../../nodes/api/http/processState';
import { slowDown, untilAllowed } from '../../../nodes/api/http/rateLimiter';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { loadFieldList } from '../../../nodes/api/sheet/sources/loadFields';
import { servicePublicKeys } from '../../../nodes/api/webhooks/publicKey';
import { ServiceError } from '../../../nodes/api/http/serviceError';
import { recordMemory } from '../../../nodes/api/read/memory/recordMemory';
import { MatchLookUp } from '../../../nodes/api/write/match';
import { logWarning, nodeKeyOf } from '../../../nodes/shared/trigger';
import { poll } from '../../../nodes/SheetRecordsPollingTrigger/poll';
import { fetchRecords } from '../../../nodes/SheetRecordsTrigger/changedRecords';
import {
	RecentDeliveries,
	restartMemory,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import { keyTexts } from '../api/webhooks/signatureVectors';
import { triggerContext } from './fakeTrigger';
import { CountingService, withSession, type Component, type Situation } from './situation';

/** Functions that fill a cache in one situation and look for the value in another one. */
export interface CacheCase {
	/** The components of its key: a change of one of them alone must not find the value. */
	key: readonly Component[];
	/** Further situations, with whether each one shares the value of the first situation. */
	also?: ReadonlyArray<{ what: string; from: Situation; to: Situation; isShared: boolean }>;
	fill: (situation: Situation) => unknown;
	isFound: (situation: Situation) => boolean | Promise<boolean>;
}

/** Ends the requests in progress. */
let endRequests: () => void = () => {};
const inProgress = async () =>
	await new Promise<never>((_, reject) => {
		const endOthers = endRequests;
		endRequests = () => {
			endOthers();
			reject(new Error('The test has ended'));
		};
	});

/** Ends the requests that a test left in progress. Call it after each test. */
export function endRequestsInProgress(): void {
	endRequests();
	endRequests = () => {};
}

const place: readonly Component[] = ['address', 'account', 'trust'];
const sheetOfUser: readonly Component[] = [...place, 'user', 'credentialType', 'sheet', 'folder'];
const nodeOfWorkflow: readonly Component[] = ['workflow', 'node'];

const oneField = { fields: [{ fieldId: 1000001, fieldName: 'Total', type: 'number' }] };
const records = { 1: { 1000001: '5' } };
const service = new CountingService();

/** Answers requests for fields with the schema, and all others with records. */
function answerWith(schema: object): void {
	service.answer = ({ pathname }) => (pathname.endsWith('/schema') ? schema : records);
}

/** A cache of values that are loaded from the service: found if `load` sends no request with this text. */
function loading(
	text: string,
	load: (situation: Situation) => Promise<unknown>,
	answers: () => void,
): Pick<CacheCase, 'fill' | 'isFound'> {
	return {
		async fill(situation) {
			answers();
			await load(situation);
		},
		async isFound(situation) {
			return (await service.countDuring(async () => await load(situation), text)) === 0;
		},
	};
}

const listFields = async (situation: Situation) =>
	await loadFieldList(await service.connect(situation), situation.sheet);

const rejected = async () =>
	await Promise.resolve({ status: 200, headers: {}, text: '-1', encoding: 'utf8' });

const compared = { repeats: true, content: true, watched: [] };
const activated = {};
restartMemory('another node', activated);
const recentOf = (situation: Situation) =>
	new RecentDeliveries(nodeKeyOf(triggerContext(situation)), activated, compared);
const content = new Map([['1000001', 'x']]);
const delivery = { event: 'UPDATE' as const, records: [{ recordId: '5', content }] };

const memoryOf = async (situation: Situation) =>
	recordMemory(await service.connect(situation), situation.sheet);

const matchesOf = async (situation: Situation) => {
	answerWith(oneField);
	return new MatchLookUp(await service.connect(situation), situation.sheet, ['1000001']);
};

/** Caches whose key decides nothing but the order or the time of work. */
const withoutAnswers = {
	mutexes: 'The locks are a table of their own.',
	eventLoopTurns: 'It has one key.',
	signedSpellings: 'Only the order in which spellings are tried depends on it.',
} as const;

/** All caches that outlive an execution. */
export const processCaches: Record<keyof typeof processState, CacheCase | string> = {
	...withoutAnswers,
	rateLimits: {
		key: ['address', 'account'],
		fill: async (situation) =>
			slowDown((await service.connect(situation)).connection.rateLimit, 60_000),
		async isFound(situation) {
			const sleep = async () => await Promise.reject(new Error('waits'));
			const { connection } = await service.connect(situation);
			return await untilAllowed(connection.rateLimit, { sleep }).then(
				() => false,
				() => true,
			);
		},
	},
	ragicAccounts: {
		key: [...place, 'dialect'],
		fill: async (situation) =>
			detectDialect((await service.connect(situation)).connection, '{"_ragicId":1}'),
		isFound: async (situation) =>
			dialectOf((await service.connect(situation)).connection) === 'ragic',
	},
	refusedLogins: {
		// All keys of one service are the same login, because a login has none.
		key: ['address', 'trust', 'credentialType'],
		also: [
			login('another e-mail', { email: 'second@acme.example' }, false),
			login('another password', { password: 'secret of the second' }, false),
			login('another account', { account: 'other' }, true),
			login('another limit of requests', { requestsPerSecond: 3 }, true),
			login('a session in a cookie', { sessionIn: 'cookie' }, true),
		],
		fill: async ({ credential }) => await logIn(credential, rejected).catch(() => {}),
		async isFound({ credential }) {
			const send = jest.fn(rejected);
			await logIn(credential, send).catch(() => {});
			return send.mock.calls.length === 0;
		},
	},
	sheetFields: {
		key: sheetOfUser,
		also: [
			login('another e-mail', { email: 'second@acme.example' }, false),
			login('another password of the same user', { password: 'newer' }, true),
		],
		...loading('', listFields, () => answerWith(oneField)),
	},
	recordMemory: {
		// Users of one account share the written values, but not which records are gone. The node reads a record before it uses its
		// written values.
		key: ['address', 'account', 'sheet', 'folder'],
		fill: async (situation) => (await memoryOf(situation)).wrote('5', [['7', 'x']]),
		isFound: async (situation) =>
			(await memoryOf(situation)).find(new Map([['7', ['x']]])).length > 0,
	},
	uncertainCreations: {
		// A record of any user has the key.
		key: ['address', 'account', 'sheet', 'folder'],
		async fill(situation) {
			const lost = new ServiceError({ kind: 'connectionLost', message: '' });
			const matches = await matchesOf(situation);
			await matches.create(['x'], async () => await Promise.reject(lost)).catch(() => {});
		},
		async isFound(situation) {
			const matches = await matchesOf(situation);
			return await matches.requireCertainty(['x']).then(
				() => false,
				() => true,
			);
		},
	},
	publicKeys: {
		// All accounts of a service share one key.
		key: ['address', 'trust'],
		...loading(
			'PublicKey',
			async (situation) => await servicePublicKeys(await service.connect(situation)).next(),
			() => (service.answer = () => keyTexts.pem),
		),
	},
	recentDeliveries: {
		key: nodeOfWorkflow,
		fill: (situation) => atOnce(recentOf(situation).noteDelivery(delivery, 1_000)),
		isFound: (situation) => atOnce(recentOf(situation).noteDelivery(delivery, 2_000)),
	},
	fetchedDeliveries: {
		key: nodeOfWorkflow,
		async fill(situation) {
			service.answer = inProgress;
			const call = await triggerCall(situation);
			for (let count = 0; count < 100; count++) {
				void fetchRecords(call, delivery).catch(() => {});
			}
		},
		async isFound(situation) {
			service.answer = () => ({ 5: {} });
			const [record] = await fetchRecords(await triggerCall(situation), delivery);
			return record?.unreadable !== undefined;
		},
	},
	warnings: {
		key: nodeOfWorkflow,
		fill: (situation) => logWarning(triggerContext(situation), 'Careful.', 'kind'),
		isFound(situation) {
			const warn = jest.fn();
			logWarning(triggerContext(situation, { warn }), 'Careful.', 'kind');
			return warn.mock.calls.length === 0;
		},
	},
	polls: {
		key: nodeOfWorkflow,
		fill: (situation) => void poll(pollingContext(situation)).catch(() => {}),
		async isFound(situation) {
			const turns = Promise.resolve('runs').then(async (value) => {
				for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
				return value;
			});
			return (await Promise.race([poll(pollingContext(situation)), turns])) === null;
		},
	},
};

function login(what: string, changes: object, isShared: boolean) {
	return { what, from: withSession(), to: withSession(changes), isShared };
}

async function triggerCall(situation: Situation) {
	const context = triggerContext(situation);
	const client = await service.connect({
		...situation,
		// Requests of one account wait for each other, and those of the first situation never end.
		credential: { ...situation.credential, account: `account ${accounts++}` },
	});
	return { context, client, sheet: situation.sheet } as unknown as Parameters<
		typeof fetchRecords
	>[0];
}
let accounts = 0;

/** Returns the context of a poll that waits for its credential. */
function pollingContext(situation: Situation) {
	return { ...triggerContext(situation), getCredentials: inProgress };
}
