import type { Result } from './summary';
import type { MeasuredClient } from './task';

const colours: Record<MeasuredClient, string> = {
	node: '#2f6fdb',
	helper: '#9aa7b8',
	client: '#d5dbe3',
};
const names: Record<MeasuredClient, string> = {
	node: 'the node, in n8n',
	helper: "a bare loop over n8n's HTTP helper",
	client: 'undici, connections kept open',
};
const barHeight = 12;
const groupGap = 14;
const left = 190;
const right = 90;
const width = 760;
const top = 62;

/** Bars of the times, each group relative to its longest, as an SVG that suits light and dark pages. */
export function chart(results: readonly Result[], machine: string): string {
	const groups = [...new Set(results.map(({ work }) => work))].map((work) =>
		results.filter((result) => result.work === work),
	);
	let y = top;
	const parts: string[] = [];
	for (const group of groups) {
		parts.push(groupOf(group, y));
		y += group.length * barHeight + groupGap;
	}
	const height = y + 8;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Times of the benchmark" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" rx="6" fill="#ffffff"/>
<text x="16" y="24" fill="#1b2430">Shorter is better. ${escaped(machine)}</text>
${legend()}
${parts.join('\n')}
</svg>
`;
}

function groupOf(group: readonly Result[], y: number): string {
	const longest = Math.max(...group.map(({ seconds }) => seconds));
	const middle = y + (group.length * barHeight) / 2 + 4;
	const title = group[0]?.title ?? '';
	const bars = group.map(({ measuredClient, seconds }, index) => {
		const length = Math.max(1, (seconds / longest) * (width - left - right));
		const barTop = y + index * barHeight;
		const end = (left + length + 6).toFixed(1);
		return [
			`<rect x="${left}" y="${barTop}" width="${length.toFixed(1)}" height="${barHeight - 2}" fill="${colours[measuredClient]}"/>`,
			`<text x="${end}" y="${barTop + 9}" font-size="10" fill="#4a5565">${seconds.toFixed(2)} s</text>`,
		].join('\n');
	});
	const label = `<text x="${left - 10}" y="${middle}" text-anchor="end" fill="#1b2430">${escaped(title)}</text>`;
	return [label, ...bars].join('\n');
}

function legend(): string {
	const order: MeasuredClient[] = ['node', 'helper', 'client'];
	const places = [16, 150, 380];
	return order
		.map((measuredClient, index) => {
			const x = places[index] ?? 0;
			return `<rect x="${x}" y="36" width="10" height="10" fill="${colours[measuredClient]}"/>\n<text x="${x + 16}" y="45" font-size="11" fill="#4a5565">${escaped(names[measuredClient])}</text>`;
		})
		.join('\n');
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
