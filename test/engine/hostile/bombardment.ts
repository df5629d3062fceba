import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { amount } from '../../amount';
import { orders, type SeenRequest } from '../../service';
import { timeLimit } from '../../timeLimit';
import { RecordTestbed } from '../recordTestbed';
import type { RunNodeOptions } from '../runner';
import { nastyTexts } from './corpus';
import { rawParameters } from './rawRequest';
import { changesSince, stateOf } from './state';

// One test runs hundreds of executions, or thousands in long runs.
jest.setTimeout(timeLimit(amount(30, 120)));

/** Texts for one parameter, and their expected effect. */
export interface Bombardment {
	parameters: INodeParameters;
	/** Default: an item with `text`, and `id`, which counts from 1. */
	item?: (text: string, id: number) => IDataObject;
	/** Default: all texts. */
	texts?: readonly string[];
	overrides?: Partial<RunNodeOptions>;
	/** Returns whether the text is rejected with an error of its item. */
	refuses: (text: string) => boolean;
	/** Returns the text in a request. If it is not set, no request may be sent. */
	carried?: (request: SeenRequest) => string | undefined;
	/** Returns the text that is sent: identifiers are sent without surrounding white space. */
	sent?: (text: string) => string;
	path?: (id: number, text: string) => string;
	query?: readonly string[];
	/** Returns the change in the state of the service: a name and its value. */
	changes?: (id: number, text: string) => [name: string, value: string];
}

export interface Hit {
	text: string;
	json: IDataObject;
}

/** Path of a sheet. */
export const addressOf = (sheet: { path: string; index: number }): string =>
	`/acme/${sheet.path}/${sheet.index}`;

const lookUps = new Set([
	`${addressOf(orders)}/metadata/schema?api`,
	`${addressOf(orders)}?api&def`,
	// Two fields have the same name, so records are read to get the numbered names.
	`${addressOf(orders)}?api&naming=EID&version=2025-01-01&limit=20`,
	`${addressOf(orders)}?api&naming=FNAME&version=2025-01-01&limit=20`,
	// The newest records are read to infer the kinds of fields.
	`${addressOf(orders)}?api&order=105%2CDESC&naming=EID&version=2025-01-01&limit=200&offset=0`,
]);

/**
 * Passes each text to a parameter, one item per text, in one execution. Fails unless each text arrives unchanged or is
 * rejected, as expected, and the service has no other changes.
 *
 * @returns the outputs of the accepted texts
 */
export async function bombard(testbed: RecordTestbed, bombardment: Bombardment): Promise<Hit[]> {
	const { parameters, refuses, overrides = {} } = bombardment;
	const { texts = nastyTexts } = bombardment;
	const makeItem = bombardment.item ?? ((text, id) => ({ text, id }));
	const before = stateOf(testbed.service);
	const items = texts.map((text, index) => ({ json: makeItem(text, index + 1) }));
	const result = await testbed.runById(parameters, items, {
		onError: 'continueErrorOutput',
		...overrides,
	});

	expect(result.status).toBe('success');
	const done = new Map(result.items.map(({ json, pairedItem }) => [itemIndexOf(pairedItem), json]));
	const failed = new Map(
		result.errorItems.map(({ json, pairedItem }) => [itemIndexOf(pairedItem), json]),
	);
	expect(done.size + failed.size).toBe(result.items.length + result.errorItems.length);
	const wrong = texts.flatMap((text, index) => {
		const outcome = failed.has(index) ? 'refused' : done.has(index) ? 'done' : 'lost';
		const isRight = outcome === (refuses(text) ? 'refused' : 'done');
		return isRight ? [] : [[text.slice(0, 50), outcome, failed.get(index)]];
	});
	expect(wrong).toEqual([]);
	for (const { error } of failed.values()) expect(error).toEqual(expect.stringMatching(/\S/));
	expectArrivals(testbed, bombardment, texts);
	expectChanges(bombardment, texts, changesSince(before, stateOf(testbed.service)));
	expectCleanPrototypes();
	return texts.flatMap((text, index) => {
		const json = done.get(index);
		return json ? [{ text, json }] : [];
	});
}

function itemIndexOf(pairedItem: unknown): number {
	const [only] = [pairedItem].flat();
	const item: unknown =
		typeof only === 'object' && only !== null && 'item' in only ? only.item : only;
	if (typeof item !== 'number') throw new Error(`Linked to no item: ${JSON.stringify(pairedItem)}`);
	return item;
}

/**
 * Expects that the requests contain the accepted texts in the order of the items, each at its place, without other parameters.
 */
function expectArrivals(
	{ service }: RecordTestbed,
	{ refuses, carried, path, query, sent = (text) => text }: Bombardment,
	texts: readonly string[],
): void {
	const arrived = new Set<string>();
	let last = -1;
	for (const request of service.requests.all()) {
		if (request.method === 'GET' && lookUps.has(request.rawUrl)) continue;
		const text = carried?.(request);
		const index = texts.findIndex((one, at) => at > last && sent(one) === text);
		if (text === undefined || index === -1) {
			const body = JSON.stringify(request.body);
			throw new Error(`No item asked for this: ${request.method} ${request.rawUrl} ${body}`);
		}
		last = index;
		const expectedText = texts[index] ?? '';
		arrived.add(expectedText);
		expect(request.path).toBe(path?.(index + 1, expectedText));
		const names = rawParameters(request).map(([name]) => name);
		if (query) expect(names).toEqual(query);
	}
	if (!carried) return;
	expect(texts.filter((text) => !refuses(text) && !arrived.has(text))).toEqual([]);
}

function expectChanges(
	{ refuses, changes }: Bombardment,
	texts: readonly string[],
	changed: ReadonlyMap<string, string | undefined>,
): void {
	const expected = new Map(
		texts.flatMap((text, index) => (changes && !refuses(text) ? [changes(index + 1, text)] : [])),
	);
	const names = [...new Set([...changed.keys(), ...expected.keys()])];
	const wrong = names.filter((name) => changed.get(name) !== expected.get(name));
	expect(wrong.map((name) => [name, changed.get(name), expected.get(name)])).toEqual([]);
}

/** Fails if a test has added a property to the prototypes of all objects. */
export function expectCleanPrototypes(): void {
	for (const prototype of [Object.prototype, Array.prototype, Function.prototype]) {
		expect(Object.keys(prototype)).toEqual([]);
	}
	expect(Reflect.get({}, 'polluted')).toBeUndefined();
}
