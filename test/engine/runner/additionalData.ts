import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { ExternalSecretsProxy } from './core';
import { RunnerCredentialsHelper } from './credentialsHelper';
import type { CredentialStore } from './credentialStore';
import type { TypeLibrary } from './typeLibrary';

const address = 'http://n8n.invalid/';

/** Returns the data that n8n's server passes to its engine for a run. Features that no test needs throw an error. */
export function additionalDataFor(
	types: TypeLibrary,
	store: CredentialStore,
	overrides: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: new RunnerCredentialsHelper(types, store),
		currentNodeExecutionIndex: 0,
		externalSecretsProxy: new ExternalSecretsProxy(),
		variables: {},
		restApiUrl: `${address}rest`,
		instanceBaseUrl: address,
		formBaseUrl: `${address}form`,
		formTestBaseUrl: `${address}form-test`,
		formWaitingBaseUrl: `${address}form-waiting`,
		webhookBaseUrl: `${address}webhook`,
		webhookTestBaseUrl: `${address}webhook-test`,
		webhookWaitingBaseUrl: `${address}webhook-waiting`,
		mcpBaseUrl: `${address}mcp`,
		mcpTestBaseUrl: `${address}mcp-test`,
		executeWorkflow: () => unsupported('sub-workflows'),
		getRunExecutionData: () => unsupported('reading earlier executions'),
		getRuntimeCredential: () => unsupported('runtime credentials'),
		startRunnerTask: () => unsupported('task runners'),
		logAiEvent: () => {},
		...overrides,
	};
}

function unsupported(feature: string): never {
	throw new Error(`The runner does not support ${feature}`);
}
