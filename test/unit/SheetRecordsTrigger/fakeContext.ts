import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import type { IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

interface Fake {
	parameters: IDataObject;
	staticData: IDataObject;
	/** Cause of the activation: `activate` when a user publishes the workflow, `init` when n8n starts, `manual` for a test run. */
	activation?: 'activate' | 'init' | 'manual';
	/** Address of n8n's webhook. */
	webhookUrl?: string;
	/** Base URL of the service. */
	baseUrl?: string;
	/** Body of the request to the webhook. */
	body: string;
	onAnswer: (status: number) => void;
	/** Returns the answer of the service to a request of the node. */
	answer: (url: URL) => Promise<object>;
}

/** Returns the parts of n8n's context that the trigger uses. */
export function fakeContext(setup: Fake) {
	const { parameters, staticData, activation = 'init', body, onAnswer, answer } = setup;
	const { webhookUrl = 'https://n8n/webhook', baseUrl = 'https://host' } = setup;
	const site = { baseUrl, account: 'acme' };
	const httpRequest = async ({ url }: IHttpRequestOptions) => await answer(new URL(url));
	const fake = {
		getNodeParameter: (name: string) => parameters[name],
		getNode: () => ({ id: 'node', name: 'Trigger', parameters }),
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow' }),
		getWorkflowStaticData: () => staticData,
		getMode: () => 'trigger',
		getActivationMode: () => activation,
		getTimezone: () => 'UTC',
		getCredentials: async () =>
			await Promise.resolve({ ...site, apiKey: 'k', requestsPerSecond: 0 }),
		getRequestObject: () => ({ headers: {}, rawBody: Buffer.from(body) }),
		getResponseObject: () => ({
			status: (status: number) => ({ json: () => onAnswer(status) }),
		}),
		getNodeWebhookUrl: () => webhookUrl,
		getInstanceId: () => 'instance',
		logger: { warn: () => {} },
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_: string, request: IHttpRequestOptions) =>
				await httpRequest(request),
		},
	};
	return fake as unknown as IWebhookFunctions & IHookFunctions;
}
