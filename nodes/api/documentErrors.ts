import { codeSentence } from './http/errorCodes';
import { ServiceError } from './http/serviceError';

/** Words with which the service says that it does not know a template. `cid` is the parameter of mail merges. */
const templateWords = /\bcid\b|template/i;

/** Returns the error of a document. If the service says that it does not know the template, the message names the template. */
export function templateError(error: unknown, templateId: string | undefined): unknown {
	if (!(error instanceof ServiceError) || templateId === undefined) return error;
	const { serviceMessage = '', code } = error.details;
	const isUnknown = templateWords.test(serviceMessage) && serviceMessage.includes(templateId);
	if (error.kind !== 'refused' || !isUnknown) return error;
	return error.with({
		message: `The service has no template ${templateId} for this sheet: ${serviceMessage}`,
		description: code === undefined ? undefined : codeSentence(code),
		remedy: 'checkTemplate',
	});
}
