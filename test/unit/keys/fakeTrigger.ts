import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Situation } from './situation';

/** Parts of n8n's context that identify a trigger, log its warnings and connect it. */
export interface FakeTrigger {
	parameters?: Record<string, unknown>;
	staticData?: Record<string, unknown>;
	/** Answers the requests of the node. */
	send?: (url: URL) => Promise<unknown>;
	warn?: (message: string) => void;
}

/** Returns the context of a trigger node in a situation. */
export function triggerContext(
	{ workflowId, nodeName, credential, sheet, type }: Situation,
	{ parameters = {}, staticData = {}, send = async () => ({}), warn = () => {} }: FakeTrigger = {},
): IPollFunctions & IWebhookFunctions {
	const values: Record<string, unknown> = {
		authentication: type === 'sheetRecordsApi' ? 'apiKey' : 'session',
		sheet: [...sheet.folders, sheet.sheetIndex].join('/'),
		...parameters,
	};
	const httpRequest = async ({ url }: { url: string }) => ({
		statusCode: 200,
		headers: {},
		body: JSON.stringify(await send(new URL(url))),
	});
	const fake = {
		getNodeParameter: (name: string) => values[name],
		// Nodes of old or imported workflows may share an ID.
		getNode: () => ({ id: 'shared ID', name: nodeName, parameters: values }),
		getWorkflow: () => ({ id: workflowId, name: 'Workflow' }),
		getWorkflowStaticData: () => staticData,
		getMode: () => 'trigger',
		getActivationMode: () => 'init',
		getTimezone: () => 'UTC',
		getCredentials: async () => await Promise.resolve({ ...credential }),
		logger: { warn },
		helpers: {
			httpRequest,
			httpRequestWithAuthentication: async (_: string, request: { url: string }) =>
				await httpRequest(request),
		},
	};
	return fake as unknown as IPollFunctions & IWebhookFunctions;
}
