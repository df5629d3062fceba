/** Returns the error thrown by `act`. Fails if it is not an instance of the class. */
export function thrown<Thrown extends Error>(
	kind: abstract new (...values: never[]) => Thrown,
	act: () => unknown,
): Thrown {
	try {
		act();
	} catch (error) {
		if (error instanceof kind) return error;
		throw error;
	}
	throw new Error(`No ${kind.name} was thrown`);
}
