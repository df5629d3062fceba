import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { sheet, sheetAt, useRecordTestbed } from '../recordTestbed';
import { activatePolling, activateTrigger } from '../runner';

/** Mistakes in the settings of both triggers, and their errors at activation. */
const testbed = useRecordTestbed({ demoRecords: 30 });

interface Settings {
	parameters?: INodeParameters;
	/** Changes to the credential. */
	credential?: INodeParameters;
}

/** Returns the message and description of a thrown error. */
function textsOf(error: unknown): { message: string; description: string } {
	const { message = '', description = '' }: Record<string, unknown> = Object(error);
	return { message: String(message), description: String(description ?? '') };
}

async function webhookError({ parameters, credential }: Settings) {
	const credentials = testbed.credentials('admin', credential);
	const listening = activateTrigger({
		parameters: { sheet: sheet(orders), ...parameters },
		credentials,
	});
	return textsOf(
		await listening.then(
			async (listener) => await listener.close(),
			(error: unknown) => error,
		),
	);
}

async function pollingError({ parameters, credential }: Settings) {
	const poller = await activatePolling({
		parameters: { sheet: sheet(orders), ...parameters },
		credentials: testbed.credentials('admin', credential),
	});
	const thrown: unknown = await poller.poll().then(
		() => undefined,
		(error: unknown) => error,
	);
	poller.close();
	return textsOf(thrown);
}

const triggers = { webhook: webhookError, polling: pollingError };
const condition = (field: string, operator: string, value?: string): INodeParameters => ({
	filters: { conditions: [{ field, operator, ...(value === undefined ? {} : { value }) }] },
});

interface Mistake extends Settings {
	mistake: string;
	/** Names the parameter or field as the panel calls it. */
	names: RegExp;
	/** The value or state that caused the error. */
	says: RegExp;
	/** Triggers without this mistake. */
	only?: keyof typeof triggers;
}

const mistakes: Mistake[] = [
	{
		mistake: 'no sheet',
		parameters: { sheet: sheetAt('') },
		names: /'Sheet'/,
		says: /is empty/,
	},
	{
		mistake: 'a sheet that is no path',
		parameters: { sheet: sheetAt('orders') },
		names: /in 'Sheet' is not a sheet path/,
		says: /'orders'/,
	},
	{
		mistake: 'an unknown field in Filters',
		parameters: condition('Statis', 'eq', 'Open'),
		names: /'Status'/,
		says: /'Statis' in 'Filters' is not a field/,
	},
	{
		mistake: 'a condition without a value',
		parameters: condition('Status', 'eq', ''),
		names: /'Status' in 'Filters'/,
		says: /has no value/,
	},
	{
		mistake: 'a condition with a date that cannot be read',
		parameters: condition('Order Date', 'gt', '31.12.2025'),
		names: /'Order Date' in 'Filters'/,
		says: /'31\.12\.2025' is not a valid date/,
	},
	{
		mistake: 'a condition with a list',
		parameters: condition('Status', 'eq', '={{ ["Open"] }}'),
		names: /'Status' in 'Filters'/,
		says: /a list/,
	},
	{
		mistake: 'an empty list of Is One Of',
		parameters: condition('Status', 'in', '={{ [] }}'),
		names: /'Status' in 'Filters'/,
		says: /has no value/,
	},
	{
		mistake: 'an unknown watched field',
		parameters: { watchFields: ['Statis'] },
		names: /'Status'/,
		says: /'Statis' in 'Watch Field Names or IDs' is not a field/,
	},
	{
		mistake: 'an unknown field in Download Files',
		parameters: { options: { downloadFiles: 'Statis' } },
		names: /in 'Download Files' is not a field.*'Status'/,
		says: /'Statis'/,
	},
	{
		mistake: 'an unknown field in Only Fields',
		parameters: { options: { onlyFields: 'Statis' } },
		names: /in 'Only Fields' is not a field.*'Status'/,
		says: /'Statis'/,
		only: 'polling',
	},
	{
		mistake: 'a wrong host',
		credential: { baseUrl: 'https://localhost:9' },
		parameters: condition('Status', 'eq', 'Open'),
		names: /'Base URL'/,
		says: /cannot be reached/,
	},
	{
		mistake: 'a key that the service does not know',
		credential: { apiKey: 'bm90LWEta2V5' },
		parameters: condition('Status', 'eq', 'Open'),
		names: /'API Key'|complete API key/,
		says: /did not accept the credential/,
	},
	{
		mistake: 'a condition that only the service can compare',
		parameters: condition('Customer Number', 'eqeq', '5'),
		names: /'Customer Number' in 'Filters'/,
		says: /cannot be compared/,
		only: 'webhook',
	},
	{
		mistake: 'a public key that is none',
		parameters: { publicKeySource: 'pem', publicKeyPem: 'none' },
		names: /'Public Key \(PEM\)'/,
		says: /is not an RSA public key/,
		only: 'webhook',
	},
	{
		mistake: 'a condition on the Last Update Date',
		parameters: condition('109', 'gt', '2026/01/31'),
		names: /'Filters'/,
		says: /Last Update Date/,
		only: 'polling',
	},
	{
		mistake: 'a start date that cannot be read',
		parameters: { startFrom: 'date', startDate: 'soon' },
		names: /'Start Date'/,
		says: /'soon', which is not a date/,
		only: 'polling',
	},
	{
		mistake: 'a start date from an expression that returns an object',
		parameters: { startFrom: 'date', startDate: '={{ ({ a: 1 }) }}' },
		names: /'Start Date'/,
		says: /the expression returned an object/,
		only: 'polling',
	},
	{
		mistake: 'an unknown shared view',
		parameters: { options: { sharedViewId: '999' } },
		names: /'Shared View ID'/,
		says: /no shared view 999/,
		only: 'polling',
	},
	{
		mistake: 'a list for a choice',
		parameters: { options: { fieldKeys: '={{ ["name"] }}' } },
		names: /'Output Field Names By'/,
		says: /the expression returned a list/,
	},
	{
		mistake: 'an unknown event',
		parameters: { events: '={{ "CREATED" }}' },
		names: /'Trigger On'/,
		says: /'CREATED', which is not one of its options/,
	},
	{
		mistake: 'no event',
		parameters: { events: '={{ "" }}' },
		names: /'Trigger On'/,
		says: /at least one event/,
	},
	{
		mistake: 'an object for the events',
		parameters: { events: '={{ ({ CREATE: true }) }}' },
		names: /'Trigger On'/,
		says: /the expression returned an object/,
	},
	{
		mistake: 'all records without Record Created',
		parameters: { startFrom: 'all', events: ['UPDATE'] },
		names: /'Start From'.*'Trigger On'/,
		says: /Record Created/,
		only: 'polling',
	},
	{
		mistake: 'a sheet that is gone',
		parameters: { sheet: sheet({ path: 'sales/orders', index: 99 }) },
		names: /sheet/,
		says: /99/,
		only: 'polling',
	},
];

const cases = mistakes.flatMap((mistake) =>
	(['webhook', 'polling'] as const)
		.filter((trigger) => (mistake.only ?? trigger) === trigger)
		.map((trigger) => ({ ...mistake, trigger })),
);

it.each(cases)(
	'the $trigger trigger names the place, says what was there and gives a step: $mistake',
	async ({ trigger, names, says, ...settings }) => {
		const { message, description } = await triggers[trigger](settings);
		const text = `${message} · ${description}`;
		expect(text).toMatch(names);
		expect(text).toMatch(says);
		expect(description).not.toBe('');
		expect(text).not.toMatch(/(?:code|HTTP) -?\d+\.?$/i);
	},
);

it.each(mistakes.filter(({ only }) => only === undefined))(
	'both triggers have the same words: $mistake',
	async (mistake) => {
		const webhook = await webhookError(mistake);
		expect(await pollingError(mistake)).toEqual(webhook);
	},
);
