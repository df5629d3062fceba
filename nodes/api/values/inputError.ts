/** What the user gave cannot be sent, and nothing was sent. All texts are fit for a user's eyes. */
export class InputError extends Error {
	constructor(
		message: string,
		/** What to do about it, in words that name no label of the editor. */
		readonly description?: string,
		/** What to do about it, where that names parameters of the editor. */
		readonly remedy?: Remedy,
		/** Whether the same may succeed later. */
		readonly isPassing = false,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** What a user can do about an error. The texts, which name labels of the editor, are in `nodes/shared/nodeError.ts`. */
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
