import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { customers } from '../../service';
import { RecordTestbed, sheet } from '../recordTestbed';
import { asJson } from '../record/recordValues';
import { amount } from '../../amount';
import { useSkippingClock } from '../clock';
import { useNetwork } from './network';
import { strikeAtRandom } from './randomFaults';

const { customerNumber, name } = customers.fields;
const size = amount(24, 150);
const half = size / 2;
const quarter = size / 4;
const elsewhere = 'https://other.localhost';
const clock = useSkippingClock();
const network = useNetwork();
/** Outcomes that must occur. With few items this depends on chance, because a single failed look-up leaves all items undone. */
const kindsToMeet = amount<string[]>([], ['output', 'uncertain']);

const testbed = new RecordTestbed();
beforeAll(async () => await testbed.start({ demoRecords: size }));
beforeEach(() => {
	network().forget(testbed.service.baseUrl);
	testbed.service.reset();
});
afterAll(async () => await testbed.stop());

/** Outcome of an item: its output, an unknown outcome, or nothing done. */
type End = { output: IDataObject } | 'uncertain' | 'undone';

/** Runs the node on the items with random faults. Each item ends exactly once, in its place. */
async function endsOf(parameters: INodeParameters, items: IDataObject[]): Promise<End[]> {
	strikeAtRandom(testbed, { network: network(), clock, elsewhere });
	const result = await testbed.runAllById(parameters, items);
	expect(result.status).toBe('success');
	const ends = new Map<number, End>();
	for (const item of result.items) note(ends, item, { output: item.json });
	for (const item of result.errorItems) note(ends, item, isInDoubt(item) ? 'uncertain' : 'undone');
	expect([...ends.keys()].sort((left, right) => left - right)).toEqual([...items.keys()]);
	const kinds = [...ends.values()].map(kindOf);
	expect(kinds).toEqual(expect.arrayContaining(kindsToMeet));
	return items.map((_, index) => ends.get(index) ?? 'undone');
}

function note(ends: Map<number, End>, { pairedItem }: INodeExecutionData, end: End): void {
	if (typeof pairedItem !== 'object' || Array.isArray(pairedItem)) {
		throw new Error(`It belongs to no item: ${JSON.stringify(pairedItem)}`);
	}
	expect(ends.has(pairedItem.item)).toBe(false);
	ends.set(pairedItem.item, end);
}

function isInDoubt({ json }: INodeExecutionData): boolean {
	expect(json.error).toEqual(expect.any(String));
	expect(json).not.toHaveProperty('details');
	return String(json.error).includes('It is unknown whether the change was made');
}

function kindOf(end: End): string {
	return typeof end === 'object' ? 'output' : end;
}

/** Returns the possible numbers of changes in the service after an outcome. */
function timesAfter(end: End): number[] {
	if (end === 'uncertain') return [0, 1];
	return end === 'undone' ? [0] : [1];
}

function customersByNumber() {
	const found = new Map<string, Array<{ id: number; name: string }>>();
	for (const record of testbed.service.data.sheet(customers).records.values()) {
		const number = record.text(customerNumber);
		found.set(number, [...(found.get(number) ?? []), { id: record.id, name: record.text(name) }]);
	}
	return found;
}

const inJson = { [customerNumber]: '{{ $json.number }}', [name]: '{{ $json.name }}' };
const numberOf = (index: number) => `N-${String(index).padStart(4, '0')}`;

it(`creates each of ${size} records at most once, and reports which ones`, async () => {
	const items = Array.from({ length: size }, (_, index) => ({
		number: numberOf(index),
		name: `Customer ${index}`,
	}));
	const create = { operation: 'create', sheet: sheet(customers) };
	const ends = await endsOf({ ...create, ...asJson(`=${JSON.stringify(inJson)}`) }, items);
	const found = customersByNumber();
	for (const [index, end] of ends.entries()) {
		const records = found.get(numberOf(index)) ?? [];
		expect(timesAfter(end)).toContain(records.length);
		if (typeof end !== 'object') continue;
		expect(end.output).toMatchObject({ _recordId: records[0]?.id, [name]: `Customer ${index}` });
	}
	expect(testbed.service.data.sheet(customers).records.size).toBe(
		300 + ends.filter((_, index) => found.has(numberOf(index))).length,
	);
});

it(`creates or updates ${size} records, some of them twice, without duplicates`, async () => {
	// A quarter of the records exists already. Another quarter is new, and repeated by later items.
	const numbers = Array.from({ length: size }, (_, index) => {
		const key = index % (half + quarter);
		return key < half ? numberOf(key) : `C-${String(key - half + 1).padStart(4, '0')}`;
	});
	const items = numbers.map((number, index) => ({ number, name: `Named by ${index}` }));
	const before = customersByNumber();
	const upsert = { operation: 'upsert', sheet: sheet(customers), matchFields: [customerNumber] };
	const ends = await endsOf({ ...upsert, ...asJson(`=${JSON.stringify(inJson)}`) }, items);
	const found = customersByNumber();
	for (const number of new Set(numbers)) {
		const records = found.get(number) ?? [];
		expect(records.length).toBeLessThanOrEqual(1);
		const indexes = items.flatMap((item, index) => (item.number === number ? [index] : []));
		const namesBefore = (before.get(number) ?? []).map((record) => record.name);
		const possible = possibleNames(indexes, ends, namesBefore[0]);
		expect(possible).toContain(records[0]?.name);
		const created = indexes.filter((index) => actionOf(ends[index]) === 'created');
		expect(created.length).toBeLessThanOrEqual(namesBefore.length === 0 ? 1 : 0);
	}
});

function actionOf(end: End | undefined): unknown {
	return typeof end === 'object' ? end.output._action : undefined;
}

/** Returns the possible names of a record after its items, in their order. Undefined means no record. */
function possibleNames(
	indexes: number[],
	ends: End[],
	before: string | undefined,
): Array<string | undefined> {
	let possible = [before];
	for (const index of indexes) {
		const end = ends[index];
		if (end === 'undone') continue;
		const isSure = end !== 'uncertain';
		possible = [...(isSure ? [] : possible), `Named by ${index}`];
	}
	return possible;
}
