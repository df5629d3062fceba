import type { ICredentialTestRequest, IDataObject, INodeCredentialTestResult } from 'n8n-workflow';

/** The verdict on an answer with a good status: a rule may still recognise a failure in its body. */
export function answerOf(
	body: IDataObject | undefined,
	{ rules = [] }: ICredentialTestRequest,
): INodeCredentialTestResult {
	for (const rule of rules) {
		if (rule.type !== 'responseSuccessBody') continue;
		const found = valueAt(body, rule.properties.key);
		if (found === rule.properties.value) return failed(rule.properties.message);
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** The verdict on a request that failed: by its HTTP status, else by what stopped it. */
export function failureOf(
	error: unknown,
	{ rules = [] }: ICredentialTestRequest,
): INodeCredentialTestResult {
	if (!(error instanceof Error)) return failed(String(error));
	const status = valueAt(error.cause, 'response.status');
	if (typeof status === 'number') {
		for (const rule of rules) {
			if (rule.type === 'responseCode' && rule.properties.value === status) {
				return failed(rule.properties.message);
			}
		}
		const statusText = valueAt(error.cause, 'response.statusText');
		return failed(String(statusText || `Received HTTP status code: ${status}`));
	}
	// So a host that does not answer is told as ECONNREFUSED and the like, and nothing else.
	return failed(String(valueAt(error.cause, 'code') ?? error.message));
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

function valueAt(holder: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(value, key) =>
				typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
			holder,
		);
}
