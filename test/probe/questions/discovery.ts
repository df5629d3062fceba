import { isObject, jsonOf, membersOf, type ServiceAnswer } from '../answer';
import { NotAsked, type ScratchSheet } from '../scratchSheet';
import { discovery, judged, question } from './question';

/** Questions about the descriptions that the service provides: schema, menu, lists and public key. */
export const discoveryQuestions = [
	question('schema', 'The sheet’s schema', async (sheet) => {
		const answer = await schemaOf(sheet);
		return discovery(answer, Array.isArray(membersOf(answer).fields));
	}),
	question('schemaChoices', 'Whether the schema names the choices of selections', async (sheet) => {
		const { fields } = membersOf(await schemaOf(sheet));
		const id = await sheet.field('choice');
		const field = Array.isArray(fields)
			? fields.filter(isObject).find(({ fieldId }) => String(fieldId) === id)
			: undefined;
		if (!field) throw new NotAsked('the schema does not tell the field');
		const lists = Object.entries(field).filter(
			([, value]) => Array.isArray(value) && value.length > 0,
		);
		return lists.length > 0
			? { seen: `in \`${lists.map(([key]) => key).join('`, `')}\``, standsFor: true }
			: { seen: 'no', standsFor: false };
	}),
	question('definition', 'The sheet’s definition (`def`)', async ({ client, path }) => {
		const answer = await client.get(path, 'api&def');
		return discovery(answer, isObject(membersOf(answer).fields));
	}),
	question('definitionChoices', 'Choices in the definition', async (sheet) => {
		const { fields } = membersOf(await sheet.client.get(sheet.path, 'api&def'));
		const field = Object(fields)[`fid${await sheet.field('choice')}`];
		if (!isObject(field)) throw new NotAsked('the definition does not tell the field');
		return Array.isArray(field.options)
			? { seen: `\`options\` with ${field.options.length} entries`, standsFor: true }
			: { seen: 'no `options`', standsFor: false };
	}),
	question('menu', 'The account’s menu', async ({ client }) => {
		const answer = await client.get('', 'api');
		const isMenu = Object.values(membersOf(answer)).some(
			(account) => isObject(account) && isObject(account.children),
		);
		return discovery(answer, isMenu);
	}),
	question('picker', 'The vendor’s own list of sheets', async ({ client }) => {
		const answer = await client.get('/api/http/integromatForms.jsp', 'n8n');
		const value = jsonOf(answer);
		const entries = Array.isArray(value) ? value : Object.values(membersOf(answer));
		return discovery(
			answer,
			entries.filter(isObject).some((entry) => 'path' in entry),
		);
	}),
	question('actionButtons', 'The list of action buttons', async ({ client, path }) => {
		const query = 'api&category=massOperation';
		const answer = await client.get(`${path}/metadata/actionButton`, query);
		const isList = Array.isArray(jsonOf(answer)) || Array.isArray(membersOf(answer).actionButtons);
		return discovery(answer, isList);
	}),
	question('subscriptions', 'The list of webhook receivers', async ({ client, path }) => {
		const segments = path.split('/');
		const folder = encodeURIComponent(`/${segments.slice(0, -1).join('/')}`);
		const account = encodeURIComponent(client.account);
		const query = `n8n&ap=${account}&path=${folder}&si=${segments.at(-1) ?? ''}`;
		const answer = await client.get('/sims/webhooks.jsp', query);
		return discovery(answer, Array.isArray(jsonOf(answer)));
	}),
	question('publicKeyForm', 'The public key for webhooks as `type=string`', async ({ client }) => {
		const address = '/api/http/getWebhookSignaturePublicKey.jsp';
		const answer = await client.get(address, 'type=string', 'nobody');
		const { text } = answer;
		return judged(
			answer,
			[text.startsWith('-----BEGIN'), 'pem', 'PEM'],
			[typeof membersOf(answer).publicKey === 'string', 'json', 'JSON with `publicKey`'],
			[/^[\w+/=\s-]{80,}$/.test(text), 'der', 'one line of base64'],
		);
	}),
];

async function schemaOf({ client, path }: ScratchSheet): Promise<ServiceAnswer> {
	return await client.get(`${path}/metadata/schema`, 'api');
}
