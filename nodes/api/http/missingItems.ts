import { codeSentence } from './errorCodes';
import { ServiceError } from './serviceError';

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

/** Returns the error of running a button. If the service says that the button does not exist, the message says so. */
export function buttonError(error: unknown, buttonId: string): unknown {
	if (!(error instanceof ServiceError) || error.kind !== 'refused') return error;
	const { serviceMessage = '', code } = error.details;
	const isMissing = /button|按鈕|按钮/i.test(serviceMessage) && serviceMessage.includes(buttonId);
	if (!isMissing) return error;
	return error.with({
		message: `This sheet has no action button ${buttonId}: ${serviceMessage}`,
		description: code === undefined ? undefined : codeSentence(code),
		remedy: 'checkButton',
	});
}
