import type { Remedy } from '../values/inputError';
import { codeSentence } from './errorCodes';
import { ServiceError } from './serviceError';

/** Words with which the service says that it does not know a template. `cid` is the parameter of mail merges. */
const templateWords = /\bcid\b|template/i;
const buttonWords = /button|按鈕|按钮/i;
/** `filterId` is the parameter of shared views. */
const viewWords = /filterId|\bview\b/i;

/** Returns the error of a document. If the service says that it does not know the template, the message names the template. */
export function templateError(error: unknown, templateId: string | undefined): unknown {
	const message = `The service has no template ${templateId} for this sheet`;
	return namedError(error, templateId, templateWords, { message, remedy: 'checkTemplate' });
}

/** Returns the error of running a button. If the service says that the button does not exist, the message says so. */
export function buttonError(error: unknown, buttonId: string): unknown {
	const message = `This sheet has no action button ${buttonId}`;
	return namedError(error, buttonId, buttonWords, { message, remedy: 'checkButton' });
}

/** Returns the error of a list. If the service says that it does not know the shared view, the message names the view. */
export function viewError(error: unknown, sharedViewId: string | undefined): unknown {
	const message = `This sheet has no shared view ${sharedViewId}`;
	return namedError(error, sharedViewId, viewWords, { message, remedy: 'checkView' });
}

/** Returns the error with another text if the service refused a request with these words and this ID; otherwise the same error. */
function namedError(
	error: unknown,
	id: string | undefined,
	words: RegExp,
	{ message, remedy }: { message: string; remedy: Remedy },
): unknown {
	if (!(error instanceof ServiceError) || error.kind !== 'refused' || !id) return error;
	const { serviceMessage = '', code } = error.details;
	if (!words.test(serviceMessage) || !isNamedIn(serviceMessage, id)) return error;
	return error.with({
		message: `${message}: ${serviceMessage}`,
		description: code === undefined ? undefined : codeSentence(code),
		remedy,
	});
}

/** Returns whether a text contains an ID that is not part of a longer number or word. */
function isNamedIn(text: string, id: string): boolean {
	const isBorder = (character = '') => !/\w/.test(character);
	let at = text.indexOf(id);
	while (at >= 0) {
		if (isBorder(text[at - 1]) && isBorder(text[at + id.length])) return true;
		at = text.indexOf(id, at + 1);
	}
	return false;
}
