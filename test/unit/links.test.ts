import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const onGitHub = 'https://github.com/sheet-records/n8n-nodes-sheet-records/blob/main/';

/** Returns the files in some folders with this ending, by their paths from the root. */
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

/** Returns the broken links of a file. */
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

const files = ['.ci', '.github', 'credentials', 'nodes', 'test'];
const sources = [...readdirSync(root).map((name) => `/${name}`), ...filesBelow(files, '')];

it.each(pages)('all links of %s have a target', (page) => {
	expect(broken(page, linksOf(readFileSync(join(root, page), 'utf8')))).toEqual([]);
});

it.each([
	...filesBelow(['nodes'], '.node.json'),
	...filesBelow(['credentials'], '.credentials.ts'),
])('all links to pages in %s have a target', (file) => {
	const addresses = readFileSync(join(root, file), 'utf8').match(/https?:\/\/[^"']+/g) ?? [];
	expect(addresses).not.toEqual([]);
	expect(addresses.filter((address) => !address.startsWith(onGitHub))).toEqual([]);
	const links = addresses.map((address) => address.slice(onGitHub.length));
	expect(broken('README.md', links)).toEqual([]);
});

/** Returns the paths and names of files in the inline code of a page that no file of the repository has. */
function missingFiles(page: string, markdown: string): string[] {
	const inline = [...withoutFences(markdown).matchAll(/`([\w./-]+\.(?:ts|mjs|js|json|yml|md))`/g)];
	return inline
		.map(([, name = '']) => name)
		.filter((name) => {
			const isHere = [name, join(dirname(page), name)].some((path) => existsSync(join(root, path)));
			return !isHere && !sources.some((path) => path.endsWith(`/${name}`));
		});
}

it.each(pages)('all files that %s names exist', (page) => {
	expect(missingFiles(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

it('names of files that do not exist are found', () => {
	const page =
		'`lock.ts`, `nodes/api/actions.ts`, `README.md`, `gone.ts`, `api/gone.ts`, `<operation>.ts`';
	expect(missingFiles('README.md', page)).toEqual(['gone.ts', 'api/gone.ts']);
});

it('broken links are found', () => {
	const bad = ['nowhere.md', '#nowhere', 'CHANGELOG.md#nowhere', 'test/nowhere#license'];
	const good = ['#license', 'CHANGELOG.md#010', 'test/workflows'];
	const text = [...bad, ...good].map((link) => `[a text](${link})`).join(' ');
	const page = `${text} [elsewhere](https://example.com)\n\`\`\`\n[code](nowhere)\n\`\`\`\n`;
	expect(broken('README.md', linksOf(page))).toEqual(bad);
});
