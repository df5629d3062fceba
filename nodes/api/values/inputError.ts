/**
 * Thrown when an input, a setting or the data that it selects cannot be used. Nothing was written with this input, but reads may
 * have been sent. All texts are shown to the user.
 */
export class InputError extends Error {
	constructor(
		message: string,
		/** Advice for the user. Contains no label of the editor. */
		readonly description?: string,
		/** Key of advice that contains labels of the editor. */
		readonly remedy?: Remedy,
		/** Whether the same input may succeed later. */
		readonly isPassing = false,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** Key of advice for the user. The texts contain labels of the editor and are in `nodes/shared/nodeError.ts`. */
export type Remedy =
	| 'checkAccount'
	| 'checkAddress'
	| 'checkBaseUrl'
	| 'checkButton'
	| 'checkConnection'
	| 'checkIdentity'
	| 'checkLogin'
	| 'checkProxy'
	| 'checkRagicSpelling'
	| 'checkStandardSpelling'
	| 'checkSheet'
	| 'checkTemplate'
	| 'checkView'
	| 'copyKey'
	| 'followAccount'
	| 'getRows'
	| 'ignoreError'
	| 'numberNewRows'
	| 'readInformation'
	| 'renewCertificate'
	| 'selectRecords'
	| 'setBaseUrl'
	| 'trustCertificate'
	| 'unlockRecord'
	| 'waitLonger';
