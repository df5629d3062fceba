import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { packageName, packageTypes } from './runner';

type CredentialName = 'sheetRecordsApi' | 'sheetRecordsSessionApi';

async function propertiesOf(name: CredentialName): Promise<INodeProperties[]> {
	return (await packageTypes()).credential(name).properties;
}

/** Returns the properties that n8n shows in the panel of a credential with these values, in order. */
async function panelOf(name: CredentialName, values: INodeParameters) {
	const properties = await propertiesOf(name);
	return properties.filter(
		(property) =>
			property.type !== 'hidden' && NodeHelpers.displayParameter(values, property, null, null),
	);
}

it.each([
	{ name: 'sheetRecordsApi', first: ['Base URL', 'Account', 'API Key'] },
	{ name: 'sheetRecordsSessionApi', first: ['Base URL', 'Account', 'Email', 'Password'] },
] as const)(
	'the panel of $name begins with the required properties, and ends with Service Dialect',
	async (row) => {
		const names = (await panelOf(row.name, { baseUrl: '' })).map(({ displayName }) => displayName);
		expect(names.slice(0, row.first.length)).toEqual(row.first);
		expect(names.at(-1)).toBe('Service Dialect');
		expect(new Set(names).size).toBe(names.length);
	},
);

describe.each(['sheetRecordsApi', 'sheetRecordsSessionApi'] as const)('Account of %s', (name) => {
	it('the property Account shows when it is required', async () => {
		const accounts = (await propertiesOf(name)).filter((property) => property.name === 'account');
		expect(accounts).toMatchObject([{ hint: expect.stringMatching(/^Required unless/) }]);
	});

	it.each(['https://host.example', 'https://host.example/acme/sales/1', '={{ $json.address }}'])(
		'the entered account is kept next to the base URL %s',
		async (baseUrl) => {
			const saved = { baseUrl, account: 'globex' };
			const loaded = NodeHelpers.getNodeParameters(
				await propertiesOf(name),
				saved,
				...([true, false, null, null] as const),
			);
			expect(loaded).toMatchObject(saved);
		},
	);
});

it('no condition of a panel is a regular expression, which n8n evaluates for every item with a time limit', async () => {
	const types = await packageTypes();
	const names = ['sheetRecordsApi', 'sheetRecordsSessionApi'] as const;
	const ofCredentials = names.map((name) => types.credential(name).properties);
	const nodes = ['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'];
	const ofNodes = nodes.map(
		(name) => types.getByNameAndVersion(`${packageName}.${name}`).description,
	);
	expect(JSON.stringify([ofCredentials, ofNodes])).not.toMatch(/"_cnd":\{"regex"/);
});
