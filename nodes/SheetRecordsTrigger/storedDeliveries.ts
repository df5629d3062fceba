import { parseFieldStates, type FieldStates } from '../shared/watchedFields';
import {
	DamagedState,
	parseEntries,
	parseMembers,
	parseNumber,
	parseText,
	StateCodec,
} from '../shared/storedState';

/** Summary of the last delivery of a record. No content is stored, except short values of watched fields. */
export interface LastDelivery {
	/** Empty if the delivery has no event. */
	event: string;
	/** Digest of the delivered content; empty if it is not compared, and for a delivery without content. */
	sent: string;
	/** Time of the delivery, in ms of the system clock. */
	at: number;
	/** Digest of what a person can change, as delivered or fetched; empty if it is unknown or not compared. */
	content: string;
	/** States of the watched fields. */
	states?: FieldStates;
}

/** Characters with a meaning in the stored form, and characters that n8n would escape when it stores the text as JSON. */
const escapedCharacters = /[%";,\\\p{Cc}]/gu;

/**
 * Returns the stored form of a delivery: event, digest, time, digest and states, with commas between them. It has no character
 * that JSON escapes, because n8n writes and reads all of them with each delivery.
 */
export function formatLastDelivery({ event, sent, at, content, states }: LastDelivery): string {
	const texts = Object.entries(states ?? {}).flatMap(([key, state]) => `${key}=${state}`);
	const known = states && [`${texts.length}`, ...texts];
	return [event, sent, String(at), content, ...(known ?? [])].map(escaped).join();
}

/** Returns the delivery of a stored form. Throws DamagedState or URIError. */
export function parseLastDelivery(text: string): LastDelivery {
	const [event = '', sent = '', at, content, count, ...texts] = text
		.split(',')
		.map(decodeURIComponent);
	if (!at || !Number.isFinite(Number(at)) || content === undefined) throw new DamagedState();
	const last = { event, sent, at: Number(at), content };
	if (count === undefined) return last;
	const states = parseFieldStates(Object.fromEntries(texts.map(parseFieldState)));
	if (!states || Number(count) !== texts.length) throw new DamagedState();
	return { ...last, states };
}

/** Returns the key and the state of a field. */
function parseFieldState(text: string): [string, string] {
	const end = text.indexOf('=');
	if (end === -1) throw new DamagedState();
	return [text.slice(0, end), text.slice(end + 1)];
}

function escaped(text: string): string {
	return text.replace(escapedCharacters, (character) => encodeURIComponent(character));
}

/**
 * Stored form of the last deliveries: one text, oldest delivery first. The map holds the stored form of each delivery, so that a
 * delivery costs no more than its own records. A new stored form needs a higher version and a migration from this version. The
 * fixture of this version stays in the tests.
 */
export const deliveriesCodec = new StateCodec<ReadonlyMap<string, string>>({
	version: 2,
	toStored: storedText,
	parse(stored) {
		const entries = parseText(stored).split(';').filter(Boolean).map(parseEntry);
		return new Map(entries);
	},
	migrations: { 1: (stored) => storedText(new Map(parseEntries(stored, migrated))) },
});

function storedText(records: ReadonlyMap<string, string>): string {
	return [...records].map(([recordId, text]) => `${recordId}:${text}`).join(';');
}

function parseEntry(text: string): [string, string] {
	const [recordId = ''] = /^\d+(?=:)/.exec(text) ?? [];
	if (recordId === '') throw new DamagedState();
	const delivery = text.slice(recordId.length + 1);
	parseLastDelivery(delivery);
	return [recordId, delivery];
}

/** Returns the stored form of a delivery of version 1. Throws DamagedState. */
function migrated(stored: unknown): string {
	const { event, sent, at, content, states } = parseMembers(stored);
	const known = parseFieldStates(states);
	if (states !== undefined && !known) throw new DamagedState();
	return formatLastDelivery({
		...{ event: parseText(event), sent: parseText(sent) },
		...{ at: parseNumber(at), content: parseText(content) },
		states: known,
	});
}
