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

/** Presses "Test" in the editor, and checks that nothing secret is shown or logged. */
export async function pressTest(
	testbed: RecordTestbed,
	type: CredentialType,
	more: INodeParameters = {},
): Promise<ConnectionTestResult> {
	const data =
		type === apiType
			? testbed.credentials('member', more)[apiType]
			: testbed.sessionCredentials('member', more)[sessionType];
	const verdict = await testCredential(type, data);
	const secrets = secretsFoundIn(verdict.recorded, testbed.service);
	expect(secrets).toEqual([]);
	for (const secret of ['apiKey', 'password'].map((name) => more[name])) {
		if (secret !== undefined) expect(verdict.recorded).not.toContain(secret);
	}
	return verdict;
}

/** A store with one session credential, and a look at the session that it holds. */
export function storeOf(testbed: RecordTestbed, more: INodeParameters = {}, name?: IdentityName) {
	const store = new CredentialStore();
	const { id } = store.add(sessionType, testbed.sessionCredentials(name, more)[sessionType]);
	return { store, id, sessionId: () => sessionIn(store.read(id, sessionType)) };
}
