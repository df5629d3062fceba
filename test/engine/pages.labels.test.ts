import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { offeredOperations } from './operations';
import { packageName, packageTypes } from './runner';

/** Labels on pages: **bold** and _italic_ texts quote labels of the nodes, the credentials, n8n or the service. */

const root = join(__dirname, '../..');
const folders = ['SheetRecords', 'SheetRecordsPollingTrigger', 'SheetRecordsTrigger'];
const pages = [
	'README.md',
	'credentials/README.md',
	...folders.flatMap((folder) =>
		readdirSync(join(root, 'nodes', folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `nodes/${folder}/${name}`),
	),
];

/** Labels of n8n 2.41.1, and of earlier versions if the page says so. */
const labelsOfN8n = [
	...[
		'+',
		'Actions',
		'Execute step',
		'Fetch Test Event',
		'Import → From file',
		'Import from File',
		'More details',
	],
	...[
		'Credential',
		'Connect to Sheet Records',
		'Create new credential',
		'Credential saved',
		'Save',
	],
	...['Settings', 'Settings → Community nodes → Install', 'Poll Times', 'Retry On Fail'],
	...['On Error', 'Continue', 'Continue (using error output)'],
	...['Fields to match on', 'Map Automatically', 'Refresh Field List', 'Values to Send'],
	...['Add All Fields'],
	...['Webhook URLs', 'Production URL', 'Test URL', 'Tool Description', 'Set Manually'],
	...['Custom API Call', 'HTTP Request', 'Predefined Credential Type', 'Form URL Encoded'],
	...['AI Agent', 'Loop Over Items', 'Edit Fields', 'Include Other Input Fields'],
];

/** Labels of the service. */
const labelsOfService = [
	...['API key', 'Send full content of the changed record', 'Tools → Sync → Webhook'],
];

/** Returns the texts of the package that the editor shows as labels, and the operations as `Resource: Operation`. */
async function labelsOfPackage(): Promise<Set<string>> {
	const types = await packageTypes();
	const described = [
		...['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'].map(
			(name) => types.getByNameAndVersion(`${packageName}.${name}`).description,
		),
		...['sheetRecordsApi', 'sheetRecordsSessionApi'].map((name) => types.credential(name)),
	];
	const operations = await offeredOperations();
	return new Set([
		...described.flatMap(labelsIn),
		...operations.map(({ resource, operation }) => `${resource.name}: ${operation.name}`),
	]);
}

/** Returns the display names and actions in a description, and the names of the choices, which have no display name. */
function labelsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name, action }: Record<string, unknown> = { ...value };
	const labels = [displayName ?? name, action].filter((label) => typeof label === 'string');
	return [...labels, ...Object.values(value).flatMap(labelsIn)];
}

/** Returns the texts of a page that may be labels. */
function emphasizedTexts(page: string): string[] {
	const prose = readFileSync(join(root, page), 'utf8')
		.replace(/^```[\s\S]*?^```/gm, '')
		// Messages have a separate test.
		.replace(/^## Messages$[\s\S]*?^## /m, '## ')
		.replace(/`[^`\n]*`/g, '`')
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(leadIns, (text, words: string) => (isTitleCase(words) ? text : ''));
	const matches = prose.matchAll(/\*\*(.+?)\*\*|(?<![\w/])_([^_\n]+)_(?!\w)/g);
	return [...matches].map(([, bold, italic = '']) => bold ?? italic);
}

/** Bold words at the start of a line or list element. If they are not a label, they introduce the text after them. */
const leadIns = /^(?:- |> )?\*\*(.+?)\*\*/gm;

/** Returns whether all words except short ones are capitalized, and the text is not a sentence. */
function isTitleCase(words: string): boolean {
	if (/[.:]$/.test(words)) return false;
	return words.split(' ').every((word) => word.length < 4 || !/^[a-z]/.test(word));
}

it.each(pages)('%s quotes labels as the editor shows them', async (page) => {
	const knownLabels = new Set([
		...(await labelsOfPackage()),
		...[...labelsOfN8n, ...labelsOfService],
	]);
	const texts = emphasizedTexts(page);
	const unknown = texts.filter((text) => !knownLabels.has(text));
	expect(texts.length).toBeGreaterThan(3);
	expect([...new Set(unknown)]).toEqual([]);
});

it('every label of n8n and of the service in this test is on a page', () => {
	const quoted = new Set(pages.flatMap(emphasizedTexts));
	const unused = [...labelsOfN8n, ...labelsOfService].filter((label) => !quoted.has(label));
	expect(unused).toEqual([]);
});

it.each(['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'])(
	'each option of %s is explained on a page',
	async (name) => {
		const { properties } = (await packageTypes()).getByNameAndVersion(
			`${packageName}.${name}`,
		).description;
		const options = properties.flatMap((property) =>
			property.type === 'collection' ? (property.options ?? []) : [],
		);
		const quoted = new Set(pages.flatMap(emphasizedTexts));
		const names = options.flatMap((option) =>
			'displayName' in option ? [option.displayName] : [],
		);
		expect(names.length).toBeGreaterThan(2);
		const unexplained = [...new Set(names)].filter((each) => !quoted.has(each));
		const todo = 'explain it on the page of its task, in italics or bold (HOW_TO, step 5)';
		expect(unexplained.map((each) => `${each}: ${todo}`)).toEqual([]);
	},
);
