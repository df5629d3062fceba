/**
 * Thrown when an input, a setting or the data that it selects cannot be used. Nothing was written with this input, but reads may
 * have been sent. All texts are shown to the user.
 */
export class InputError extends Error {
	constructor(
		message: string,
		/** Advice for the user. Contains no label of the editor. May be left out if there is a remedy. */
		readonly description: string | undefined,
		/** Key of advice that contains labels of the editor. */
		readonly remedy?: Remedy,
		/** Whether the same input may succeed later. */
		readonly isPassing = false,
	) {
		super(message);
		this.name = 'InputError';
	}
}

/** Thrown for a value that does not fit the known kind or choices of its field, which may be out of date. */
export class ValueError extends InputError {}

/** Thrown if an entry of the user cannot be used. Its message begins with the entry: `'entry' problem`. */
export class EntryError extends InputError {
	constructor(
		private readonly entry: string,
		private readonly problem: string,
		description: string,
	) {
		super(`'${entry}' ${problem}`, description);
	}

	/** Returns the error with the name of the parameter or option that has the entry. */
	in(displayName: string): InputError {
		return new InputError(
			`'${this.entry}' in '${displayName}' ${this.problem}`,
			this.description,
			this.remedy,
		);
	}
}

/**
 * Returns the result of a look-up of an entry. If the entry cannot be used, throws InputError with the name of the parameter or
 * option that has it.
 */
export async function inParameter<Result>(
	displayName: string,
	lookUp: () => Promise<Result>,
): Promise<Result> {
	return await lookUp().catch((error: unknown) => {
		throw withParameter(displayName, error);
	});
}

/** Like `inParameter`, for an entry that is only parsed. */
export function parsedIn<Result>(displayName: string, parse: () => Result): Result {
	try {
		return parse();
	} catch (error) {
		throw withParameter(displayName, error);
	}
}

function withParameter(displayName: string, error: unknown): unknown {
	return error instanceof EntryError ? error.in(displayName) : error;
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
	| 'checkSession'
	| 'checkStandardSpelling'
	| 'checkSheet'
	| 'checkTemplate'
	| 'checkView'
	| 'chooseTimeZone'
	| 'copyKey'
	| 'followAccount'
	| 'getRows'
	| 'ignoreError'
	| 'leaveOutKey'
	| 'numberNewRows'
	| 'openObject'
	| 'readInformation'
	| 'renewCertificate'
	| 'selectRecords'
	| 'setBaseUrl'
	| 'trustCertificate'
	| 'unlockRecord'
	| 'waitLonger';
