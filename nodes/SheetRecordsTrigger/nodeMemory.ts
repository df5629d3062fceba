import { randomUUID } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { isObject } from '../api/json/objects';

/** How a record was last seen. */
export interface Seen {
	event: string;
	/** Of all that was sent. */
	sent: string;
	/** Of what a person can change. */
	content: string;
}

/** The oldest are forgotten: then an unchanged record starts the workflow once more, and none is lost. */
const mostRecords = 2_000;

/** What this process remembers for one node. */
interface Memory {
	/** Told in the static data that are stored from here. */
	id: string;
	seen: Map<string, Seen>;
	stores: number;
	/** The mark of those that the memory began with: they are loaded until it is stored for the first time. */
	firstMark: string;
	/** Other processes receive deliveries for the node, too. */
	isShared: boolean;
}

const memories = processCache<Memory>('triggerNodes');

/** Which node of which workflow. */
export function nodeKeyOf(context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow'>): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/**
 * Begins to remember for a node, with what an earlier process has stored.
 *
 * @param isShared other processes are known to receive deliveries for it
 */
export function beginMemory(nodeKey: string, staticData: IDataObject, isShared = false): void {
	const firstMark = markOf(staticData);
	const known = memories.get(nodeKey);
	if (known && isMarkOf(known, firstMark)) return;
	const seen = new Map(storedEntries(staticData.seenRecords));
	memories.set(nodeKey, { id: randomUUID(), seen, stores: 0, firstMark, isShared });
	if (!isShared && staticData.isShared === true) staticData.isShared = false;
}

/**
 * What was last seen of each record of a node, in the order in which this process has seen it. n8n loads the
 * static data for each delivery, and of deliveries that come together the last one to be stored wins: so
 * they tell only where a process begins, and whether others receive.
 *
 * @returns undefined when several processes receive: none knows what another has just seen
 */
export function memoryOf(nodeKey: string, staticData: IDataObject): Map<string, Seen> | undefined {
	// n8n does not activate at each start what was active before: then the first delivery begins the memory.
	if (!memories.get(nodeKey)) beginMemory(nodeKey, staticData, staticData.isShared === true);
	const memory = memories.get(nodeKey);
	if (!memory) return undefined;
	const mark = markOf(staticData);
	const isOwn = isMarkOf(memory, mark) || mark === memory.firstMark;
	memory.isShared ||= !isOwn || staticData.isShared === true;
	return memory.isShared ? undefined : memory.seen;
}

/** Writes what is remembered by now into the static data; where several processes receive, that they do. */
export function storeMemory(nodeKey: string, staticData: IDataObject): void {
	const memory = memories.get(nodeKey);
	if (!memory || memory.isShared) {
		staticData.isShared = true;
		staticData.seenRecords = [];
		return;
	}
	dropOldest(memory.seen, mostRecords);
	memory.stores += 1;
	staticData.storedBy = `${memory.id}/${memory.stores}`;
	staticData.seenRecords = [...memory.seen].map(([recordId, seen]) => ({ recordId, ...seen }));
}

function dropOldest(map: Map<string, unknown>, most: number): void {
	for (const key of [...map.keys()].slice(0, Math.max(0, map.size - most))) map.delete(key);
}

function markOf({ storedBy }: IDataObject): string {
	return String(storedBy ?? '');
}

function isMarkOf({ id }: Memory, mark: string): boolean {
	return mark.startsWith(`${id}/`);
}

/** An array, since an object would sort record ids and lose which one was seen last. */
function storedEntries(stored: unknown): Array<[string, Seen]> {
	if (!Array.isArray(stored)) return [];
	return stored
		.filter(isObject)
		.map(({ recordId, event, sent, content }) => [
			String(recordId),
			{ event: String(event), sent: String(sent), content: String(content) },
		]);
}
