import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const onGitHub = 'https://github.com/sheet-records/n8n-nodes-sheet-records/blob/main/';

/** The files below some folders whose names end so, by their paths from the root. */
function filesBelow(folders: string[], ending: string): string[] {
	return folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith(ending))
			.map((name) => join(folder, name)),
	);
}

const withoutFences = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');

/** Returns GitHub's anchors for the headings of a page. */
function anchorsOf(markdown: string): string[] {
	return [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}_\- ]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/** Returns the targets of a page's links within the repository. */
function linksOf(markdown: string): string[] {
	return [...withoutFences(markdown).matchAll(/\]\(([^()\s]+)\)/g)]
		.map(([, link = '']) => link)
		.filter((link) => !/^[a-z]+:/.test(link));
}

/** The links that lead nowhere, from a file with this path. */
function broken(path: string, links: string[]): string[] {
	return links.filter((link) => {
		const [target = '', anchor] = link.split('#');
		const file = join(root, target === '' ? path : join(dirname(path), target));
		if (!existsSync(file)) return true;
		return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
	});
}

const pages = [
	...['README.md', 'CHANGELOG.md'],
	...filesBelow(['.github', 'credentials', 'nodes', 'test'], '.md'),
];

it.each(pages)('%s links to what is there', (page) => {
	expect(broken(page, linksOf(readFileSync(join(root, page), 'utf8')))).toEqual([]);
});

it.each([
	...filesBelow(['nodes'], '.node.json'),
	...filesBelow(['credentials'], '.credentials.ts'),
])('%s leads to pages that are there', (file) => {
	const addresses = readFileSync(join(root, file), 'utf8').match(/https?:\/\/[^"']+/g) ?? [];
	expect(addresses).not.toEqual([]);
	expect(addresses.filter((address) => !address.startsWith(onGitHub))).toEqual([]);
	const links = addresses.map((address) => address.slice(onGitHub.length));
	expect(broken('README.md', links)).toEqual([]);
});

it('finds links that lead nowhere', () => {
	const bad = ['nowhere.md', '#nowhere', 'CHANGELOG.md#nowhere', 'test/nowhere#license'];
	const good = ['#license', 'CHANGELOG.md#010', 'test/workflows'];
	const text = [...bad, ...good].map((link) => `[a text](${link})`).join(' ');
	const page = `${text} [elsewhere](https://example.com)\n\`\`\`\n[code](nowhere)\n\`\`\`\n`;
	expect(broken('README.md', linksOf(page))).toEqual(bad);
});
