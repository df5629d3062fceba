import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

/** A node of somebody else that sends any request with one of our credentials, as HTTP Request does. */
export class CallingNode implements INodeType {
	description: INodeTypeDescription;

	constructor(
		private readonly credentialType: string,
		/** What the node asks n8n to send. */
		private readonly request: IHttpRequestOptions,
	) {
		this.description = {
			displayName: 'Calling',
			name: 'calling',
			group: ['input'],
			version: 1,
			description: 'Sends a request',
			defaults: { name: 'Calling' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: credentialType, required: true }],
			properties: [],
		};
		const { credentialType: type, request: options } = this;
		this.execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const answer: unknown = await this.helpers.httpRequestWithAuthentication.call(this, type, {
				...options,
			});
			return [this.helpers.returnJsonArray({ answer: JSON.stringify(answer) })];
		};
	}

	execute: INodeType['execute'];
}
