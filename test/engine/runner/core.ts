import './environment';
import 'reflect-metadata';
import { createRequire } from 'node:module';

// The only import of n8n-core: importing it here sets the environment first.
export {
	BinaryDataConfig,
	BinaryDataService,
	Credentials,
	CredentialTestContext,
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	PackageDirectoryLoader,
	PollContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';

// npm installs several copies of these two. Only n8n-core's own know its services.
const requireFromCore = createRequire(require.resolve('n8n-core'));
export const { Container }: typeof import('@n8n/di') = requireFromCore('@n8n/di');
export const { Logger }: typeof import('@n8n/backend-common') =
	requireFromCore('@n8n/backend-common');
