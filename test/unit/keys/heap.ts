import { detectDialect } from '../../../nodes/api/http/dialect';
import { logIn } from '../../../nodes/api/http/login';
import type { processState } from '../../../nodes/api/http/processState';
import { schedule } from '../../../nodes/api/http/rateLimiter';
import { ServiceError } from '../../../nodes/api/http/serviceError';
import { atOnce } from '../../../nodes/api/json/jsonReading';
import { SheetFields } from '../../../nodes/api/sheet/sheetFields';
import { servicePublicKeys } from '../../../nodes/api/webhooks/publicKey';
import { MatchLookUp } from '../../../nodes/api/write/match';
import { logWarning, nodeKeyOf } from '../../../nodes/shared/trigger';
import { poll } from '../../../nodes/SheetRecordsPollingTrigger/poll';
import {
	RecentDeliveries,
	restartMemory,
} from '../../../nodes/SheetRecordsTrigger/recentDeliveries';
import { keyTexts } from '../api/webhooks/signatureVectors';
import { triggerContext } from './fakeTrigger';
import { CountingService, usual, withSession, type Situation } from './situation';

/** The maximum heap of a full cache. */
export interface Bound {
	megabytes: number;
	/** Number of entries that are made and measured. All that the cache can hold unless it is given. */
	sample?: number;
	/** Maximum number of such entries, if another limit is reached before that of all entries. */
	maxEntries?: number;
	/** Makes an entry that is as large as they get in practice. */
	fill: (index: number) => unknown;
}

const service = new CountingService();

const withCredential = (changes: object): Situation => ({
	...usual,
	credential: { ...usual.credential, ...changes },
});
const inAccount = (index: number) => withCredential({ account: `account-${index}` });
const atAddress = (index: number) =>
	withCredential({ baseUrl: `https://service-${index}.example` });
const ofSheet = (index: number): Situation => ({
	...usual,
	sheet: { folders: ['sales'], sheetIndex: index + 1 },
});
const ofNode = (index: number): Situation => ({ ...usual, nodeName: `node ${index}` });

const fields = Array.from({ length: 500 }, (_, index) => ({
	fieldId: 1_000_001 + index,
	fieldName: `Name of field ${index}`,
	type: index % 10 === 0 ? 'select' : 'text',
	choices: index % 10 === 0 ? Array.from({ length: 20 }, (_, choice) => `Choice ${choice}`) : [],
}));

const digest = 'x'.repeat(64);
const watched = Array.from({ length: 5 }, (_, index) => `100000${index}`);
const deliveredRecords = Array.from({ length: 2_000 }, (_, index) => ({
	recordId: String(index + 1),
	content: new Map(watched.map((key) => [key, `Text ${index} of ${digest.slice(0, 20)}`])),
}));
const comparison = { repeats: true, content: true, watched };

/** The heap that each cache of the process takes at most. The soak run's page has these numbers, too. */
export const bounds: Record<keyof typeof processState, Bound | string> = {
	mutexes: 'An entry ends with its work.',
	eventLoopTurns: 'It has one entry.',
	fetchedDeliveries: 'An entry is a number.',
	rateLimits: {
		megabytes: 10,
		async fill(index) {
			const { connection } = await service.connect(inAccount(index));
			const waiting = { sleep: async () => await Promise.resolve() };
			for (let count = 0; count < 20; count++) {
				await schedule(connection.rateLimit, async () => await Promise.resolve(), waiting);
			}
		},
	},
	ragicAccounts: {
		megabytes: 2,
		fill: async (index) =>
			detectDialect((await service.connect(inAccount(index))).connection, '{"_ragicId":1}'),
	},
	refusedLogins: {
		megabytes: 4,
		async fill(index) {
			const { credential } = withSession({ email: `user-${index}@acme.example` });
			const refuse = async () =>
				await Promise.resolve({ status: 200, headers: {}, text: '-1', encoding: 'utf8' });
			await logIn(credential, refuse).catch(() => {});
		},
	},
	sheetFields: {
		megabytes: 45,
		sample: 20,
		// 200,000 fields of all sheets.
		maxEntries: 400,
		async fill(index) {
			service.answer = ({ pathname }) => (pathname.endsWith('/schema') ? { fields } : {});
			const client = await service.connect(usual);
			await new SheetFields(client, ofSheet(index).sheet).load();
			service.urls.length = 0;
		},
	},
	recordMemory: 'Its budget is measured in processMemory.size.test.ts.',
	uncertainCreations: {
		megabytes: 3,
		async fill(index) {
			service.answer = () => ({ fields: fields.slice(0, 1) });
			const lost = new ServiceError({ kind: 'connectionLost', message: '' });
			const matches = new MatchLookUp(await service.connect(usual), usual.sheet, ['1000001']);
			const create = async () => await Promise.reject(lost);
			await matches.create([`Order ${index}`], create).catch(() => {});
			service.urls.length = 0;
		},
	},
	publicKeys: {
		megabytes: 1,
		async fill(index) {
			service.answer = () => keyTexts.pem;
			await servicePublicKeys(await service.connect(atAddress(index))).next();
		},
	},
	signedSpellings: 'An entry is a number.',
	recentDeliveries: {
		megabytes: 40,
		sample: 5,
		// 100,000 records in all nodes.
		maxEntries: 50,
		fill(index) {
			const staticData = {};
			const nodeKey = nodeKeyOf(triggerContext(ofNode(index)));
			restartMemory(nodeKey, staticData);
			const recent = new RecentDeliveries(nodeKey, staticData, comparison);
			atOnce(recent.noteDelivery({ event: 'UPDATE', records: deliveredRecords }, 1_000));
			for (const record of deliveredRecords) {
				recent.noteContent(record);
				recent.noteWatched(record);
			}
		},
	},
	warnings: {
		megabytes: 1,
		fill: (index) => logWarning(triggerContext(ofNode(index)), 'Careful.', 'kind'),
	},
	polls: {
		megabytes: 2,
		fill: async (index) => await poll(triggerContext(ofNode(index))).catch(() => {}),
	},
};
