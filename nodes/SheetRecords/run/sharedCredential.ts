import type { IExecuteFunctions } from 'n8n-workflow';
import type { CredentialType } from '../../api/http/connection';
import { InputError } from '../../api/values/inputError';
import { authenticationParameter } from '../../shared/editor/nodeDescription';
import type { CredentialOfItem } from '../../shared/connect';

/** Credential properties that must agree for all items, with their labels. They decide where data goes. */
const identityLabels = {
	baseUrl: 'Base URL',
	account: 'Account',
	apiKey: 'API Key',
	email: 'Email',
	password: 'Password',
	allowUnauthorizedCerts: 'Ignore SSL Issues (Insecure)',
} as const;

/** The part of a run that is used here. */
interface RunOfItems {
	readonly context: IExecuteFunctions;
	beforeItem(): Promise<void>;
	parameter(name: string, index: number): unknown;
}

/**
 * Returns the credential of the items with this credential type. All these items must have the same credential, because
 * batches, look-ups and mass operations send the data of many items in one request. n8n evaluates expressions in a credential
 * only per item, so the credential of each item is read. Throws InputError if they differ, the errors of n8n, and the reason of a
 * cancellation.
 */
export async function sharedCredential(
	run: RunOfItems,
	type: CredentialType,
): Promise<CredentialOfItem> {
	const { context } = run;
	let shared: CredentialOfItem | undefined;
	for (const itemIndex of context.getInputData().keys()) {
		await run.beforeItem();
		if (chosenType(run, itemIndex) !== type) continue;
		const data = await context.getCredentials(type, itemIndex);
		shared ??= { itemIndex, data };
		requireSame(shared, { itemIndex, data });
	}
	return shared ?? { itemIndex: 0, data: await context.getCredentials(type, 0) };
}

/** Returns the credential type of an item; undefined if the choice is not valid, so that only this item fails. */
function chosenType(run: RunOfItems, index: number): CredentialType | undefined {
	try {
		return authenticationParameter.parse({ value: (name) => run.parameter(name, index) });
	} catch {
		return undefined;
	}
}

/** Throws InputError if a property that must agree differs. The message names it without its values, which may be secrets. */
function requireSame(first: CredentialOfItem, item: CredentialOfItem): void {
	for (const [name, label] of Object.entries(identityLabels)) {
		if (item.data[name] === first.data[name]) continue;
		throw new InputError(
			`The items have different values for '${label}' in the credential`,
			`Item ${item.itemIndex} has a different value than item ${first.itemIndex}, but a run sends all items with one credential. Use a credential with the same values for all items, or run the node once for each value, for example with 'Loop Over Items'.`,
		);
	}
}
