export { binaryPath, makeBinary, readBinary, useBinaryMode, type BinaryMode } from './binary';
export { CredentialStore, type CredentialUpdate } from './credentialStore';
export { loadOptionsOf, type LoadOptionsOptions } from './loadOptions';
export type { CredentialsByType, NodeOptions } from './nodeUnderTest';
export { forgetPreviousTest, packageName, packageTypes } from './typeLibrary';
export { runNode, type RunNodeOptions } from './runNode';
export { RunResult } from './runResult';
export { runWorkflow, type WorkflowJson, type WorkflowOptions } from './runWorkflow';
export type { InputItem } from './runNode';
export { testCredential } from './testCredential';
export {
	activatePolling,
	activateTrigger,
	type ActivateTriggerOptions,
	type PollingOptions,
} from './trigger/activation';
export type { Poller } from './trigger/poller';
export type { TriggerListener, WebhookAnswer } from './trigger/triggerListener';
export { TypeLibrary } from './typeLibrary';
