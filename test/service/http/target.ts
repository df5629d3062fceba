import type { ServiceState } from '../call';
import type { AccountData } from '../data/accountData';
import type { Sheet } from '../data/sheet';
import type { SubscriptionEndpoint } from '../endpoints/webhooks';
import { decodePercent } from './query';
import { ServiceError } from './serviceError';

export type Target =
	| { kind: 'login' }
	| { kind: 'credentialCheck' }
	| { kind: 'file' }
	| { kind: 'publicKey' }
	| { kind: 'picker' }
	| { kind: 'subscription'; endpoint: SubscriptionEndpoint }
	| { kind: 'account' }
	/** A tab of the menu. */
	| { kind: 'tab'; path: string }
	| { kind: 'sheet'; sheet: Sheet }
	/** A list at the address of one of its records. */
	| { kind: 'list'; sheet: Sheet }
	| { kind: 'schema'; sheet: Sheet }
	| { kind: 'actionButtons'; sheet: Sheet }
	| { kind: 'massOperation'; sheet: Sheet; type: string }
	| { kind: 'record'; sheet: Sheet; recordId: number }
	| { kind: 'document'; sheet: Sheet; recordId: number; suffix: string }
	| { kind: 'listDocument'; sheet: Sheet; suffix: string };

const documentSegment = /^(\d+)\.(xhtml|pdf|xlsx|custom|customprint|carbone)$/;

const metadataKinds = new Map<string, 'schema' | 'actionButtons'>([
	['schema', 'schema'],
	['actionButton', 'actionButtons'],
]);

/** Addresses outside of any account. All are read with `GET`, except the login. */
export const serviceTargets: ReadonlyMap<string, Target> = new Map<string, Target>([
	['/AUTH', { kind: 'login' }],
	['/api/n8n/n8nCredentialCheck.jsp', { kind: 'credentialCheck' }],
	['/sims/file.jsp', { kind: 'file' }],
	['/api/http/getWebhookSignaturePublicKey.jsp', { kind: 'publicKey' }],
	['/api/http/integromatForms.jsp', { kind: 'picker' }],
	['/sims/webhookSubscribe.jsp', { kind: 'subscription', endpoint: 'subscribe' }],
	['/sims/webhookUnsubscribe.jsp', { kind: 'subscription', endpoint: 'unsubscribe' }],
	['/sims/webhooks.jsp', { kind: 'subscription', endpoint: 'list' }],
]);

/** Resolves an address within the account ("Address notation" and "Record URL shapes"). */
export function accountTarget(
	rawPath: string,
	{ account, data, switches }: Pick<ServiceState, 'account' | 'data' | 'switches'>,
): Target {
	const segments = rawPath.split('/').filter(Boolean).map(decodePercent);
	const [accountName = '', ...ownSegments] = segments;
	const rest = switches.usersSheet === 'deployed' ? toUsersSheet(ownSegments, data) : ownSegments;
	const isHost = switches.hostAccount === 'default' && accountName === 'default';
	if (accountName !== account && !isHost) {
		throw new ServiceError('invalidAccount', `Invalid account name: ${accountName}`);
	}
	if (rest.length === 0) return { kind: 'account' };
	const tab = rest.join('/');
	if (switches.menuOfTab && data.sheets.some(({ path }) => path === tab)) {
		return { kind: 'tab', path: tab };
	}
	const metadata = rest.at(-2) === 'metadata' ? metadataKinds.get(rest.at(-1) ?? '') : undefined;
	if (metadata) {
		return { kind: metadata, sheet: findSheet(rest.slice(0, -2), data) ?? refuse(rest, data) };
	}
	if (rest.at(-2) === 'massOperation') {
		const sheet = findSheet(rest.slice(0, -2), data) ?? refuse(rest, data);
		return { kind: 'massOperation', sheet, type: rest.at(-1) ?? '' };
	}
	const sheet = findSheet(rest, data);
	if (sheet) return { kind: 'sheet', sheet };
	const sheetOfRecord = findSheet(rest.slice(0, -1), data);
	const recordId = integer(rest.at(-1));
	if (sheetOfRecord && recordId !== undefined) {
		return { kind: 'record', sheet: sheetOfRecord, recordId };
	}
	if (sheetOfRecord && /^\d+\.json$/.test(rest.at(-1) ?? '')) {
		return { kind: 'list', sheet: sheetOfRecord };
	}
	const [, documentOf, suffix] = documentSegment.exec(rest.at(-1) ?? '') ?? [];
	if (sheetOfRecord && documentOf !== undefined && suffix !== undefined) {
		return { kind: 'document', sheet: sheetOfRecord, recordId: Number(documentOf), suffix };
	}
	const sheetOfList = documentOf && findSheet([...rest.slice(0, -1), documentOf], data);
	if (sheetOfList && (suffix === 'xlsx' || suffix === 'custom')) {
		return { kind: 'listDocument', sheet: sheetOfList, suffix };
	}
	return refuse(rest, data);
}

/** Maps the deployed service's address of the internal users sheet. */
function toUsersSheet(segments: string[], data: AccountData): string[] {
	const users = data.sheets.find(({ definition }) => definition.users === 'internal');
	if (!users || segments.slice(0, 3).join('/') !== 'default/ragic-setup/1') return segments;
	return [...users.path.split('/'), String(users.index), ...segments.slice(3)];
}

/**
 * Returns whether the path is a document of a record. The specification shows no query for most of them, so `api` is not
 * required.
 */
export function isDocumentPath(rawPath: string): boolean {
	return documentSegment.test(rawPath.split('/').at(-1) ?? '');
}

function findSheet(segments: string[], data: AccountData): Sheet | undefined {
	const index = integer(segments.at(-1));
	return index === undefined
		? undefined
		: data.findSheet({ path: segments.slice(0, -1).join('/'), index });
}

function integer(text: string | undefined): number | undefined {
	return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Throws the error for an unknown sheet: the number is wrong if the folder exists, otherwise the path is wrong. */
function refuse(segments: string[], data: AccountData): never {
	const folders = new Set(data.sheets.map(({ path }) => path));
	for (let length = segments.length; length > 0; length -= 1) {
		if (!folders.has(segments.slice(0, length).join('/'))) continue;
		if (findSheet(segments.slice(0, length + 1), data)) break;
		const index = segments[length] ?? '';
		throw new ServiceError('invalidIndex', `Invalid form index: ${index}`);
	}
	throw new ServiceError('invalidPath', `Invalid path: /${segments.join('/')}`);
}
