/** What `act` throws, which is to be an error of that kind. */
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
