/** Thrown when input cannot be sent. Nothing was sent. All texts are shown to the user. */
export class InputError extends Error {
	constructor(
		message: string,
		/** What to do. Does not name labels of the editor. */
		readonly description?: string,
		/** What to do, if the text names labels of the editor. */
		readonly remedy?: Remedy,
		/** Whether the same input may succeed later. */
		readonly isPassing = false,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** Something that the user can do about an error. The texts name labels of the editor and are in `nodes/shared/nodeError.ts`. */
export type Remedy =
	| 'checkAccount'
	| 'checkAddress'
	| 'checkBaseUrl'
	| 'checkConnection'
	| 'checkProxy'
	| 'checkSheet'
	| 'followAccount'
	| 'getRows'
	| 'numberNewRows'
	| 'readInformation'
	| 'setBaseUrl'
	| 'trustCertificate'
	| 'unlockRecord'
	| 'waitLonger';
