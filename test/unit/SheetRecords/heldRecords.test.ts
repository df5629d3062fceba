import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { runOperations } from '../../../nodes/SheetRecords/run/runOperations';
import { LoadedRecords } from '../../../nodes/api/read/memory/loadedRecords';

/** Records that a run has loaded and still holds, counted while it writes its items. */
const count = 60;
const ids = Array.from({ length: count }, (_, index) => String(index + 1));
const text = (id: string) => `text ${id}`;
const record = (id: string) => ({ 1000001: `KEY-${id}`, 1000002: text(id) });
const held = new Set<string>();
let accounts = 0;

/** Counts the records in all `LoadedRecords`. */
function watchLoadedRecords(): void {
	const { add, drop } = LoadedRecords.prototype;
	const numbers = new Map<LoadedRecords, number>();
	const nameOf = (loaded: LoadedRecords, id: string) => {
		if (!numbers.has(loaded)) numbers.set(loaded, numbers.size);
		return `${numbers.get(loaded)} ${id}`;
	};
	jest.spyOn(LoadedRecords.prototype, 'add').mockImplementation(function (
		this: LoadedRecords,
		id,
		content,
	) {
		held.add(nameOf(this, id));
		add.call(this, id, content);
	});
	jest.spyOn(LoadedRecords.prototype, 'drop').mockImplementation(function (
		this: LoadedRecords,
		id,
	) {
		held.delete(nameOf(this, id));
		drop.call(this, id);
	});
}

beforeEach(() => {
	held.clear();
	watchLoadedRecords();
});
afterEach(() => jest.restoreAllMocks());

/** Answers with the records of `ids`. */
function answerTo({ url, method = 'GET' }: IHttpRequestOptions) {
	const { pathname, searchParams } = new URL(url);
	const last = pathname.split('/').at(-1) ?? '';
	if (method !== 'GET') return { status: 'SUCCESS', svcId: Number(last) };
	const isOne = pathname.split('/').length === 5;
	const from = Number(searchParams.get('offset') ?? 0);
	const size = Number(searchParams.get('limit') ?? 1000);
	const keys = searchParams.getAll('where').map((condition) => condition.split(',')[2]);
	const found = ids.filter((id) =>
		isOne ? id === last : keys.length === 0 || keys.includes(`KEY-${id}`),
	);
	const page = isOne ? found : found.slice(from, from + size);
	return Object.fromEntries(page.map((id) => [id, record(id)]));
}

/** Runs a write with Skip Unchanged. Returns the actions, and the number of requests. */
async function run(operation: string, items: object[], options: object = {}) {
	const account = `held${++accounts}`;
	let requests = 0;
	const mapper = { mappingMode: 'autoMapInputData', matchingColumns: ['1000001'] };
	const parameters: Record<string, unknown> = {
		...{ resource: 'record', operation, authentication: 'apiKey', inputMode: 'json' },
		sheet: { __rl: true, mode: 'path', value: 'sales/1' },
		...{ fields: mapper, matchFields: '1000001' },
		options: { skipUnchanged: true, fieldKeys: 'id', ...options },
	};
	const inputData = items.map((json) => ({ json }));
	const context = {
		getInputData: () => inputData,
		getNodeParameter: (
			name: string,
			index: number,
			fallback: unknown,
			{ rawExpressions = false } = {},
		) => {
			const item = items[index];
			const isOfItem = name === 'recordJson' || name === 'recordId';
			if (rawExpressions) return isOfItem ? '={{ }}' : '';
			if (name === 'recordJson') return JSON.stringify({ ...item, id: undefined });
			if (name === 'recordId') {
				return { __rl: true, mode: 'id', value: String(Object(item).id) };
			}
			return parameters[name] ?? fallback;
		},
		getNode: () => ({ name: 'Node', type: 'sheetRecords', parameters: {} }),
		getTimezone: () => 'UTC',
		continueOnFail: () => false,
		getCredentials: async () => ({
			...{ baseUrl: 'https://host', account, apiKey: 'key', requestsPerSecond: 0 },
		}),
		helpers: {
			httpRequestWithAuthentication: async (_: string, request: IHttpRequestOptions) => {
				requests += 1;
				// Not with code 106, which is asked for once more after half a second.
				if (request.url.includes('metadata')) return { statusCode: 403, headers: {}, body: '' };
				return { statusCode: 200, headers: {}, body: JSON.stringify(answerTo(request)) };
			},
		},
	};
	// n8n's contexts have over a hundred members. The node uses only these.
	const [output = []] = await runOperations(context as unknown as IExecuteFunctions);
	return { actions: output.map(({ json }) => json._action), requests };
}

const byId = (id: string): object => ({ id, 1000002: text(id) });
const byKey = (id: string): object => ({ 1000001: `KEY-${id}`, 1000002: text(id) });

describe.each([
	{ operation: 'update', itemOf: byId },
	{ operation: 'upsert', itemOf: byKey },
])('$operation with Skip Unchanged', ({ operation, itemOf }) => {
	it.each([{}, { dryRun: true }])(
		'holds no record whose item has its output, with %j',
		async (options) => {
			const { actions } = await run(operation, ids.map(itemOf), options);
			expect(new Set(actions)).toEqual(new Set(['unchanged']));
			expect(held.size).toBe(0);
		},
	);

	it('holds no record after items that differ, and after those that are decided later', async () => {
		const items = ids.map((id) =>
			Number(id) % 3 === 0 ? { ...itemOf(id), 1000002: 'new' } : itemOf(id),
		);
		const { actions } = await run(operation, items);
		expect(actions.filter((action) => action === 'unchanged')).toHaveLength(40);
		expect(held.size).toBe(0);
	});

	it('loads a record once for all items of it', async () => {
		const once = await run(operation, ids.map(itemOf));
		const twice = await run(operation, [...ids, ...ids].map(itemOf));
		expect(twice.requests).toBe(once.requests);
		const inPairs = await run(operation, ids.flatMap((id) => [id, id]).map(itemOf));
		expect(inPairs.requests).toBe(once.requests);
		expect(held.size).toBe(0);
	});
});
