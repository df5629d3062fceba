import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { IdentityName, ReferenceService } from '../../service';
import type { RecordTestbed } from '../recordTestbed';
import type { CredentialsByType } from '../runner';
import type { IsRequest } from './network';
import type { Outcome, RequestKind } from './table';

export interface StruckRequest {
	name: string;
	kind: RequestKind;
	/** Tells it from the operation's other requests. */
	matches: IsRequest;
	/** How many changes were made before it. */
	changesBefore?: number;
	/** It makes a change that the operation looks for when nobody knows whether it was made. */
	isLookedFor?: true;
	/** It makes a change by GET. */
	isByGet?: true;
	/** How often the operation sends the like of it again when all goes well. */
	alsoSent?: number;
	/** What the error says beside the fault itself. */
	alsoSays?: (outcome: Outcome) => RegExp;
}

export interface OperationCall {
	testbed: RecordTestbed;
	parameters: INodeParameters;
	items: INodeExecutionData[];
	credentials: CredentialsByType;
}

export interface Ran {
	items: INodeExecutionData[];
	error?: { name: string; message: string; description?: string | null };
	/** To be called when the service's state has been looked at. */
	end?: () => Promise<void>;
}

/** One operation of the node: what it is asked to do, and how to see what was done. */
export interface OperationCase {
	operation: string;
	/** What makes this case particular, where an operation has several. */
	variant?: string;
	parameters: INodeParameters;
	identity?: IdentityName;
	prepare?: (service: ReferenceService) => void;
	items?: (service: ReferenceService) => Promise<INodeExecutionData[]> | INodeExecutionData[];
	requests: StruckRequest[];
	/** How many changes the service's state shows: those made twice count twice, where state can show it. */
	changes?: (service: ReferenceService) => number;
	/** How many there are when all is well. */
	changesInAll: number;
	/** The items that tell the service's state as it is after the run. */
	itemsOf: (service: ReferenceService) => object[];
	/** Does it, where it is not done by running the node. */
	run?: (call: OperationCall) => Promise<Ran>;
	/** Whether a file that arrived is whole. */
	isWhole?: (file: Buffer, service: ReferenceService) => boolean;
}

type Particulars = Omit<OperationCase, 'operation' | 'requests' | 'changesInAll'> &
	Partial<OperationCase>;

/** An operation that changes nothing, by one request unless others are named. */
export function asking(name: string, particulars: Particulars): OperationCase {
	return { requests: onlyAsks(), changesInAll: 0, ...particulars, ...named(name, particulars) };
}

/** An operation that makes one change by one request, unless more are named. */
export function changing(name: string, particulars: Particulars): OperationCase {
	return { requests: onlyChanges(), changesInAll: 1, ...particulars, ...named(name, particulars) };
}

function named(name: string, { parameters }: Particulars) {
	const [resource, operation] = name.split('.');
	return { operation: name, parameters: { resource, operation, ...parameters } };
}

/** The only request of an operation that asks for something. */
export function onlyAsks(kind: RequestKind = 'asks'): StruckRequest[] {
	return [{ name: 'asks', kind, matches: isNoLogin }];
}

export function onlyChanges(): StruckRequest[] {
	return [{ name: 'changes', kind: 'changes', matches: isWrite }];
}

export function isWrite({ method }: { method: string }): boolean {
	return method !== 'GET';
}

export function asksFor(text: string): IsRequest {
	return ({ method, rawUrl }) => method === 'GET' && rawUrl.includes(text);
}

/** Whether a request carries a form, as uploads do. */
export function isUpload({ headers }: Parameters<IsRequest>[0]): boolean {
	return String(headers['content-type']).startsWith('multipart/');
}

function isNoLogin({ rawUrl }: Parameters<IsRequest>[0]): boolean {
	return !rawUrl.startsWith('/AUTH');
}
