/** What the user gave cannot be sent, and nothing was sent. Both texts are fit for a user's eyes. */
export class InputError extends Error {
	/** @param description what to do about it */
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
