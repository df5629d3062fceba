import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { IdentityName, ReferenceService } from '../../service';
import type { RecordTestbed } from '../recordTestbed';
import type { CredentialsByType } from '../runner';
import type { IsRequest } from './network';
import type { Outcome, RequestKind } from './table';

export interface StruckRequest {
	name: string;
	kind: RequestKind;
	/** Distinguishes the request from the other requests of the operation. */
	matches: IsRequest;
	/** Number of changes that were made before the request. */
	changesBefore?: number;
	/** Set if the operation looks for the change of the request when its outcome is unknown. */
	isLookedFor?: true;
	/** Set if the request makes a change by GET. */
	isByGet?: true;
	/** Number of further requests of this kind that the operation sends without a fault. */
	alsoSent?: number;
	/** Set if a refusal is named in `_warning` of the item, and the operation goes on. */
	isNamedInWarning?: true;
	/** Text of the error in addition to the fault. */
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
	/** Cleans up. Call it after reading the state of the service. */
	end?: () => Promise<void>;
}

/** Operation of the node: its parameters, and how its effect is measured. */
export interface OperationCase {
	operation: string;
	/** Name of the case, if an operation has several. */
	variant?: string;
	parameters: INodeParameters;
	identity?: IdentityName;
	prepare?: (service: ReferenceService) => void;
	items?: (service: ReferenceService) => Promise<INodeExecutionData[]> | INodeExecutionData[];
	requests: StruckRequest[];
	/** Returns the number of changes in the state of the service. A repeated change counts twice if the state shows it. */
	changes?: (service: ReferenceService) => number;
	/** Number of changes without a fault. */
	changesInAll: number;
	/** Items that contain the state of the service after the run. */
	itemsOf: (service: ReferenceService) => object[];
	/** Executes the operation if it is not a run of the node. */
	run?: (call: OperationCall) => Promise<Ran>;
	/** Returns whether a received file is complete. */
	isWhole?: (file: Buffer, service: ReferenceService) => boolean;
}

type Particulars = Omit<OperationCase, 'operation' | 'requests' | 'changesInAll'> &
	Partial<OperationCase>;

/** Defines an operation without changes. It sends one read request unless `requests` is given. */
export function reading(name: string, particulars: Particulars): OperationCase {
	return { requests: onlyReads(), changesInAll: 0, ...particulars, ...named(name, particulars) };
}

/** Defines an operation with one change. It sends one write request unless `requests` is given. */
export function changing(name: string, particulars: Particulars): OperationCase {
	return { requests: onlyChanges(), changesInAll: 1, ...particulars, ...named(name, particulars) };
}

function named(name: string, { parameters }: Particulars) {
	const [resource, operation] = name.split('.');
	return { operation: name, parameters: { resource, operation, ...parameters } };
}

/** Returns the only request of an operation that reads. */
export function onlyReads(kind: RequestKind = 'reads'): StruckRequest[] {
	return [{ name: 'reads', kind, matches: isNoLogin }];
}

export function onlyChanges(): StruckRequest[] {
	return [{ name: 'changes', kind: 'changes', matches: isWrite }];
}

export function isWrite({ method }: { method: string }): boolean {
	return method !== 'GET';
}

export function requestFor(text: string): IsRequest {
	return ({ method, rawUrl }) => method === 'GET' && rawUrl.includes(text);
}

/** Returns whether the request body is a form, like that of an upload. */
export function isUpload({ headers }: Parameters<IsRequest>[0]): boolean {
	return String(headers['content-type']).startsWith('multipart/');
}

function isNoLogin({ rawUrl }: Parameters<IsRequest>[0]): boolean {
	return !rawUrl.startsWith('/AUTH');
}
