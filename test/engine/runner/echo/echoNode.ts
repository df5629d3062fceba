import {
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
	sleep,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

/** A node to prove the runner with: does with each item what its parameter `action` says. */
export const echoNode: INodeType = {
	description: {
		displayName: 'Echo',
		name: 'echo',
		group: ['transform'],
		version: 1,
		description: 'Proves the runner',
		defaults: { name: 'Echo' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'echoApi' }],
		properties: [
			{ displayName: 'Action', name: 'action', type: 'string', default: 'echo' },
			{ displayName: 'Text', name: 'text', type: 'string', default: '', required: true },
			{
				displayName: 'Place',
				name: 'place',
				type: 'resourceLocator',
				default: { mode: 'id', value: '' },
				modes: [
					{ displayName: 'ID', name: 'id', type: 'string' },
					{
						displayName: 'URL',
						name: 'url',
						type: 'string',
						extractValue: { type: 'regex', regex: '([^/]+)$' },
					},
				],
			},
		],
	},
	methods: {
		listSearch: {
			async places(filter?: string, paginationToken?: string) {
				const { token } = await this.getCredentials('echoApi');
				const place = this.getCurrentNodeParameter('place', { extractValue: true });
				const value = [place, filter, paginationToken, token !== ''].join(' ');
				return { results: [{ name: 'asked', value }] };
			},
		},
	},
	async execute() {
		const output: INodeExecutionData[] = [];
		for (const [item, input] of this.getInputData().entries()) {
			try {
				output.push({ ...(await act(this, item, input)), pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) {
					if (error instanceof NodeApiError) throw error;
					throw new NodeOperationError(this.getNode(), String(error), { itemIndex: item });
				}
				output.push({ json: { error: String(error) }, pairedItem: { item } });
			}
		}
		this.addExecutionHints({ message: `${output.length} echoed`, location: 'outputPane' });
		return [output];
	},
};

async function act(
	context: IExecuteFunctions,
	item: number,
	input: INodeExecutionData,
): Promise<INodeExecutionData> {
	const { helpers } = context;
	const text = String(context.getNodeParameter('text', item));
	switch (context.getNodeParameter('action', item)) {
		case 'fail':
			throw new Error(`Refused: ${text}`);
		case 'print':
			context.logger.warn(`logged ${text}`);
			context.sendMessageToUI(`shown ${text}`);
			return { json: {} };
		case 'wait':
			context.sendMessageToUI('waiting');
			await sleep(20_000, context.getExecutionCancelSignal());
			return { json: {} };
		case 'file': {
			const content = await helpers.getBinaryDataBuffer(item, text);
			const shouted = Buffer.from(content.toString().toUpperCase());
			const data = await helpers.prepareBinaryData(shouted, 'shouted.txt', 'text/plain');
			return { json: {}, binary: { data } };
		}
		case 'request': {
			const options = { url: text, json: true };
			const json = await helpers.httpRequestWithAuthentication.call(context, 'echoApi', options);
			return { json };
		}
		default:
			return { json: { ...input.json, text } };
	}
}
