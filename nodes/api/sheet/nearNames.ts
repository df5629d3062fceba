/** Number of most similar names that a message suggests. It suggests more if they are equally similar. */
const minNearMisses = 3;

/** Returns the names that are similar to the text, most similar first. Similarity is the share of common pairs of letters. */
export function nearestNames(names: readonly string[], text: string): string[] {
	const textPairs = letterPairs(text);
	const likenessOf = (name: string) => {
		const pairs = letterPairs(name);
		const shared = pairs.filter((pair) => textPairs.includes(pair));
		return (2 * shared.length) / (pairs.length + textPairs.length);
	};
	const near = [...new Set(names)]
		.map((name) => ({ name, likeness: likenessOf(name) }))
		.filter(({ likeness }) => likeness >= 0.5)
		.sort((left, right) => right.likeness - left.likeness);
	const lowest = near[minNearMisses - 1]?.likeness ?? 0;
	return near.filter(({ likeness }) => likeness >= lowest).map(({ name }) => name);
}

/** Returns the pairs of adjacent letters of a text, including its start and end. */
function letterPairs(text: string): string[] {
	const letters = ` ${text.trim().toLowerCase().slice(0, 60)} `;
	return Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
}
