import { ensureCertificates, type Certificates } from './certificates';
import type { ServiceState } from './call';
import { ServiceClock } from './clock';
import { AccountData } from './data/accountData';
import { UploadFolder } from './data/storedFiles';
import { fillAccount } from './demoData';
import { Faults } from './faults';
import { Load } from './http/load';
import { RequestHandler, type RequestHook } from './http/requestHandler';
import { createServer } from './http/server';
import { isNewPort, portOf } from './newPort';
import { createIdentities, restoreIdentities, Sessions, type Identities } from './identities';
import { BackgroundTasks } from './massOperations/backgroundTasks';
import { RequestLog } from './requestLog';
import { defaultSwitches, type Switches } from './switches';
import { InterfaceChanges } from './webhooks/interfaceChanges';
import { Webhooks } from './webhooks/webhooks';

export type { AccountData, Notification } from './data/accountData';
export type { StoredFile } from './data/storedFiles';
export type { ServiceClock } from './clock';
export type { Field, FieldType, FieldValue } from './data/field';
export type { Comment, SheetRecord } from './data/record';
export type { Sheet, SheetAddress } from './data/sheet';
export type { Fault, Faults } from './faults';
export type { Identities, Identity, IdentityName } from './identities';
export type { BackgroundTask } from './massOperations/backgroundTask';
export type { BackgroundTasks } from './massOperations/backgroundTasks';
export type { RequestLog, SeenRequest } from './requestLog';
export type { DiscoverySwitch, Switches } from './switches';
export type { Values } from './webhooks/interfaceChanges';
export { jsonSpellings, type JsonSpelling } from './webhooks/signingKey';
export type { WebhookEvent, WebhookReceiver } from './webhooks/webhooks';
export type { PublicKeyForm, SignatureForm } from './webhooks/signingKey';
export type { WebhookDelivery, Webhooks } from './webhooks/webhooks';
export { ensureCertificates } from './certificates';
export { contacts } from './demoData/contacts';
export { customers } from './demoData/customers';
export { orders } from './demoData/orders';
export { empty, invoices, recipes, salaries, tasks } from './demoData/otherSheets';
export { externalUsers, internalUsers } from './demoData/users';
export { measurements } from './demoData/measurements';
export { products } from './demoData/products';
export { siteVisits } from './demoData/siteVisits';

const accountName = 'acme';

/** A running reference service, with everything that tests inspect and change. */
export interface ReferenceService {
	readonly baseUrl: string;
	readonly account: string;
	readonly caCertificatePath: string;
	readonly identities: Identities;
	readonly requests: RequestLog;
	/** IDs of all sessions since the start. They stay secrets after a reset, so a reset does not remove them. */
	readonly sessionIds: ReadonlySet<string>;
	readonly switches: Switches;
	readonly faults: Faults;
	readonly clock: ServiceClock;
	readonly data: AccountData;
	readonly tasks: BackgroundTasks;
	readonly webhooks: Webhooks;
	/** Changes records as users do in the interface. Each change sends its webhooks. */
	readonly people: InterfaceChanges;
	/**
	 * Runs a function before the service works on each request, until a reset or until the returned function is called. The
	 * function may change the sheet or a switch. If it returns a promise, the request waits for it.
	 */
	beforeRequest(hook: RequestHook): () => void;
	/** Restores demo data, switches and identities, and clears faults, requests and sessions. */
	reset(): void;
	expireSessions(): void;
	close(): Promise<void>;
}

export interface ReferenceServiceOptions {
	/** Port of the server. Default: 0, which selects a free port. */
	port?: number;
	/** Number of orders in the demo data. Default: 2,500. */
	demoRecords?: number;
}

/** Read once per process, because reading and checking the certificates takes a third of the start time. */
let certificates: Certificates | undefined;

/** Starts a server for the record API of the specification, with demo data. */
export async function startReferenceService({
	port = 0,
	demoRecords = 2500,
}: ReferenceServiceOptions = {}): Promise<ReferenceService> {
	const tls = (certificates ??= await ensureCertificates());
	const { certificateAuthorityPath } = tls;
	const switches = defaultSwitches();
	const state: ServiceState = {
		account: accountName,
		clock: new ServiceClock(switches),
		data: new AccountData(),
		identities: createIdentities(),
		sessions: new Sessions(),
		switches,
		tasks: new BackgroundTasks(),
		uploads: new UploadFolder(),
		webhooks: new Webhooks(accountName, switches),
	};
	const requests = new RequestLog();
	const faults = new Faults();
	const load = new Load(requests, state.switches);
	fillAccount(state.data, demoRecords);

	const handler = new RequestHandler(state, requests, faults, load);
	const server = await listen(async () => await createServer(tls, handler), port);

	return {
		baseUrl: `https://localhost:${portOf(server.server)}`,
		account: state.account,
		caCertificatePath: certificateAuthorityPath,
		identities: state.identities,
		requests,
		sessionIds: state.sessions.issuedIds,
		switches: state.switches,
		faults,
		clock: state.clock,
		data: state.data,
		tasks: state.tasks,
		webhooks: state.webhooks,
		people: new InterfaceChanges(state.data, state.webhooks, state.clock),
		beforeRequest(hook) {
			handler.hooks.add(hook);
			return () => void handler.hooks.delete(hook);
		},
		reset() {
			Object.assign(state.switches, defaultSwitches());
			restoreIdentities(state.identities);
			state.sessions.clear();
			state.clock.reset();
			state.tasks.clear();
			state.webhooks.clear();
			faults.clear();
			handler.hooks.clear();
			load.clear();
			state.uploads.clear();
			requests.forget();
			fillAccount(state.data, demoRecords);
		},
		expireSessions: () => state.sessions.expireAll(),
		close: async () => {
			state.tasks.clear();
			await state.webhooks.close();
			await server.close();
			state.uploads.clear();
		},
	};
}

type Server = Awaited<ReturnType<typeof createServer>>;

async function listen(create: () => Promise<Server>, port: number): Promise<Server> {
	const server = await create();
	await server.listen({ port, host: 'localhost' });
	if (port !== 0 || isNewPort(portOf(server.server))) return server;
	await server.close();
	return await listen(create, port);
}
