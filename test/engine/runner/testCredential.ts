import {
	jsonStringify,
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunction,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { CredentialTestContext } from './core';
import { RunnerCredentialsHelper } from './credentialsHelper';
import { CredentialStore } from './credentialStore';
import { listenToPrinting } from './recorder';
import { packageName, packageTypes, type TypeLibrary } from './typeLibrary';

/** Result that the editor shows after "Test", and all lines that were logged during the test. */
export interface ConnectionTestResult extends INodeCredentialTestResult {
	recorded: string;
}

/** Tests a credential with the test function of a node, like the editor, which saves it first. */
export async function testCredential(
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<ConnectionTestResult> {
	const types = await packageTypes();
	const store = new CredentialStore();
	const reference = store.add(type, data);
	const complete = new RunnerCredentialsHelper(types, store).complete(type, data);

	const printed: string[] = [];
	const stop = listenToPrinting((line) => printed.push(line));
	try {
		const credential = { ...reference, type, data: complete };
		const test = testFunctionOf(type, types);
		const result = await test.call(new CredentialTestContext(), credential);
		return { ...result, recorded: [jsonStringify(result), ...printed].join('\n') };
	} finally {
		stop();
	}
}

/** Returns the test function of the action node, which supports every credential type. */
function testFunctionOf(type: string, types: TypeLibrary): ICredentialTestFunction {
	const { description, methods } = types.getByNameAndVersion(`${packageName}.sheetRecords`);
	const testedBy = description.credentials?.find((used) => used.name === type)?.testedBy;
	const test = methods?.credentialTest?.[String(testedBy)];
	if (!test) throw new Error(`No testing function found for credential "${type}"`);
	return test;
}
