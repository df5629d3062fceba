/** Looks every tenth of a second until something holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
	for (let look = 0; look < 100; look += 1) {
		if (await holds()) return;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error('It did not come to hold within ten seconds');
}
