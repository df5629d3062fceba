import type { INodeParameters } from 'n8n-workflow';
import { sessionIn } from '../../../nodes/api/http/session';
import type { IdentityName } from '../../service';
import type { RecordTestbed } from '../recordTestbed';
import { CredentialStore, testCredential } from '../runner';
import type { ConnectionTestResult } from '../runner/testCredential';
import { secretsFoundIn } from '../secrets';

export const apiType = 'sheetRecordsApi';
export const sessionType = 'sheetRecordsSessionApi';
export const types = [apiType, sessionType] as const;
export type CredentialType = (typeof types)[number];

/** Runs the connection test of the editor, and checks that no secret is shown or logged. */
export async function pressTest(
	testbed: RecordTestbed,
	type: CredentialType,
	overrides: INodeParameters = {},
): Promise<ConnectionTestResult> {
	const data =
		type === apiType
			? testbed.credentials('member', overrides)[apiType]
			: testbed.sessionCredentials('member', overrides)[sessionType];
	const verdict = await testCredential(type, data);
	const secrets = secretsFoundIn(verdict.recorded, testbed.service);
	expect(secrets).toEqual([]);
	for (const secret of ['apiKey', 'password'].map((name) => overrides[name])) {
		if (secret !== undefined) expect(verdict.recorded).not.toContain(secret);
	}
	return verdict;
}

/** Returns a store with one session credential, and a function that returns its stored session. */
export function storeOf(
	testbed: RecordTestbed,
	overrides: INodeParameters = {},
	name?: IdentityName,
) {
	const store = new CredentialStore();
	const { id } = store.add(sessionType, testbed.sessionCredentials(name, overrides)[sessionType]);
	return { store, id, sessionId: () => sessionIn(store.read(id, sessionType)) };
}
