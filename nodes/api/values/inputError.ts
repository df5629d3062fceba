/** What the user gave cannot be sent, and nothing was sent. All texts are fit for a user's eyes. */
export class InputError extends Error {
	/**
	 * @param description what to do about it, in words that name no label of the editor
	 * @param remedy what to do about it, where that names parameters of the editor
	 * @param isPassing whether the same may succeed later
	 */
	constructor(
		message: string,
		readonly description?: string,
		readonly remedy?: Remedy,
		readonly isPassing = false,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/**
 * What a user can do about an error. `api` names the remedy and knows no label of the editor; the text
 * that names the node's own parameters is made in `nodes/ui/nodeError.ts`.
 */
export type Remedy =
	| 'checkAccount'
	| 'checkAddress'
	| 'checkBaseUrl'
	| 'checkConnection'
	| 'checkProxy'
	| 'followAccount'
	| 'getRows'
	| 'numberNewRows'
	| 'readInformation'
	| 'setBaseUrl'
	| 'trustCertificate'
	| 'unlockRecord'
	| 'waitLonger';
