/** Words of the demo data. Everything is derived from counters, so every run has the same data. */

const firstNames = ['Anna', 'Bruno', 'Chiara', 'Dmitri', 'Émile', 'Fatma', 'Grace', 'Haruki'];

const surnames = ['Albers', 'Baker', 'Costa', 'Dvořák', 'Eriksen', 'Fischer', 'García', 'Huang'];

const trades = ['Bakery', 'Bikes', 'Books', 'Coffee', 'Gardens', 'Hardware', 'Optics', 'Travel'];

const forms = ['GmbH', 'Ltd', 'S.A.', 'Inc.', '& Sons'];

const cities = [
	'Berlin',
	'Lyon',
	'Oslo',
	'Porto',
	'Kraków',
	'Taipei',
	'Austin',
	'São Paulo',
	'Zürich',
];

/** Picks a word by counter. A stride other than 1 gives neighboring records words that are far apart. */
export function pick(words: readonly string[], counter: number, stride = 1): string {
	return words[(counter * stride) % words.length] ?? '';
}

export function personName(counter: number): string {
	return `${pick(firstNames, counter, 3)} ${pick(surnames, Math.floor(counter / 8) + counter)}`;
}

export function companyName(counter: number): string {
	const owner = pick(surnames, counter, 5);
	const trade = pick(trades, Math.floor(counter / surnames.length));
	return `${owner} ${trade} ${pick(forms, counter, 3)}`;
}

export function cityName(counter: number): string {
	return pick(cities, counter, 4);
}

/** Texts by day. Cached because the orders use a few hundred days thousands of times. */
const dayTexts = new Map<number, string>();

/** Returns a day as `yyyy/MM/dd`, counted from 2023/01/01. */
export function dayText(days: number): string {
	let text = dayTexts.get(days);
	if (text === undefined) {
		const day = new Date(Date.UTC(2023, 0, 1 + days));
		text = day.toISOString().slice(0, 10).replaceAll('-', '/');
		dayTexts.set(days, text);
	}
	return text;
}
