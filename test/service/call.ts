import type { ServiceClock } from './clock';
import type { AccountData } from './data/accountData';
import type { SheetRecord } from './data/record';
import type { Sheet } from './data/sheet';
import type { UploadFolder } from './data/storedFiles';
import type { RequestBody } from './http/body';
import type { Query } from './http/query';
import { ServiceError } from './http/serviceError';
import {
	administrators,
	type Identities,
	type Identity,
	type Session,
	type Sessions,
} from './identities';
import type { BackgroundTasks } from './massOperations/backgroundTasks';
import type { Switches } from './switches';
import type { WebhookEvent, Webhooks } from './webhooks/webhooks';

export interface ServiceState {
	readonly account: string;
	readonly clock: ServiceClock;
	readonly data: AccountData;
	readonly identities: Identities;
	readonly sessions: Sessions;
	readonly switches: Switches;
	readonly tasks: BackgroundTasks;
	readonly uploads: UploadFolder;
	readonly webhooks: Webhooks;
}

export interface Call {
	readonly state: ServiceState;
	readonly method: string;
	readonly query: Query;
	readonly body: RequestBody;
	readonly identity: Identity;
	readonly byApiKey: boolean;
	readonly byCookie: boolean;
	readonly session: Session | undefined;
	/** Messages of the service about values that it did not store. */
	readonly notes?: string[];
}

export function isAdministrator({ groups }: Identity): boolean {
	return groups.includes(administrators);
}

/** Returns the strongest right of the identity on the sheet (specification, "Authentication", 4). */
export function rightOn(sheet: Sheet, identity: Identity): 'none' | 'read' | 'write' {
	if (isAdministrator(identity)) return 'write';
	const rights = identity.groups.map((group) => sheet.rights[group]);
	if (rights.includes('write')) return 'write';
	return rights.includes('read') ? 'read' : 'none';
}

export function demandReading(sheet: Sheet, identity: Identity): void {
	if (rightOn(sheet, identity) === 'none') throw new ServiceError('noAccessRight');
}

export function demandWriting(sheet: Sheet, identity: Identity): void {
	if (rightOn(sheet, identity) !== 'write') throw new ServiceError('noAccessRight');
}

export function existingRecord(sheet: Sheet, recordId: number): SheetRecord {
	const record = sheet.records.get(recordId);
	if (record) return record;
	throw new ServiceError('recordNotFound');
}

/** Sends one webhook for all records of an API write, unless the switch `webhooksOfApiWrites` is off. */
export function sendWebhooks(
	{ state }: Call,
	sheet: Sheet,
	event: WebhookEvent,
	records: readonly SheetRecord[],
): void {
	if (state.switches.webhooksOfApiWrites) state.webhooks.changed(sheet, event, records);
}
