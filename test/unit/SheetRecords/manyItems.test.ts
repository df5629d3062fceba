import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { runOperations } from '../../../nodes/SheetRecords/run/runOperations';

type ReadParameter = (item: number) => unknown;

const written = '{"status":"SUCCESS","svcId":1,"data":{"1000001":"x"}}';
const byPath = (path: string) => ({ __rl: true, mode: 'path', value: path });
const mapper = { mappingMode: 'autoMapInputData', matchingColumns: ['1000001'] };

/** Every parameter is an expression, because constant parameters are evaluated only once. */
const common: Record<string, ReadParameter> = {
	authentication: () => 'apiKey',
	sheet: () => byPath('sales/1'),
	inputMode: () => 'fields',
	fields: () => mapper,
	'fields.mappingMode': () => mapper.mappingMode,
	'fields.matchingColumns': () => mapper.matchingColumns,
};

const runs: Array<[string, Record<string, ReadParameter>]> = [
	[
		'subtable rows, each of a record of its own',
		{
			...{ resource: () => 'subtableRow', operation: () => 'add' },
			...{ recordId: (item) => item + 1, subtableId: () => '2000001' },
		},
	],
	[
		'upserts, each on a sheet of its own',
		{
			...{ resource: () => 'record', operation: () => 'upsert' },
			sheet: (item) => byPath(`sales/${item}`),
		},
	],
	[
		'a mass operation of items half of which have no record ID',
		{
			...{ resource: () => 'massOperation', operation: () => 'lock' },
			...{ selection: () => 'inputItems', lockAction: () => 'lock' },
			recordIdField: (item) => (item % 2 === 0 ? '_recordId' : 'none'),
		},
	],
];

let accounts = 0;

/** Returns the number of calls to n8n's functions for this number of items. */
async function questionsFor(
	count: number,
	operationParameters: Record<string, ReadParameter>,
): Promise<number> {
	let questions = 0;
	const parameters: Record<string, ReadParameter> = { ...common, ...operationParameters };
	const items = Array.from({ length: count }, (_, index) => ({
		json: { _recordId: index, '1000001': `x${index}` },
	}));
	const account = `many${++accounts}`;
	const context = {
		getInputData: () => items,
		getNodeParameter: (
			name: string,
			item: number,
			fallback: unknown,
			{ rawExpressions = false } = {},
		) => {
			questions += 1;
			const read = parameters[name];
			return rawExpressions ? '={{ }}' : read ? read(item) : fallback;
		},
		getNode: () => ({ name: 'Node', type: 'sheetRecords', parameters: {} }),
		getTimezone: () => 'UTC',
		continueOnFail: () => {
			questions += 1;
			return true;
		},
		getCredentials: async () => ({
			...{ baseUrl: 'https://host', account, apiKey: 'key', requestsPerSecond: 0 },
		}),
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url, method }: IHttpRequestOptions) => ({
				statusCode: 200,
				headers: {},
				body: url.includes('massOperation') ? '{"taskId":"1"}' : method === 'GET' ? '{}' : written,
			}),
		},
	};
	// n8n's contexts have over a hundred members. The node uses only these.
	const [output = []] = await runOperations(context as unknown as IExecuteFunctions);
	expect(output.length).toBeGreaterThan(count / 2);
	return questions;
}

it.each(runs)(
	'time and memory grow no faster than the number of items: %s',
	async (_, parameters) => {
		const callCount = await questionsFor(40, parameters);
		const doubledCallCount =
			(await questionsFor(20, parameters)) + (await questionsFor(60, parameters));
		expect(doubledCallCount).toBe(2 * callCount);
	},
);
