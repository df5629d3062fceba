import './environment';
import 'reflect-metadata';
import { createRequire } from 'node:module';

// Import n8n-core only in this file, because this file sets the environment first.
export {
	BinaryDataConfig,
	BinaryDataService,
	Credentials,
	CredentialTestContext,
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	InstanceSettings,
	LoadOptionsContext,
	PackageDirectoryLoader,
	PollContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';

// npm installs several copies of both packages. The services are in the copies of n8n-core.
const requireFromCore = createRequire(require.resolve('n8n-core'));
export const { Container }: typeof import('@n8n/di') = requireFromCore('@n8n/di');
export const { Logger }: typeof import('@n8n/backend-common') =
	requireFromCore('@n8n/backend-common');
