import type { KeyObject } from 'node:crypto';
import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { conditionsParameter } from '../shared/parameters/filters';
import { authenticationParameter } from '../shared/editor/nodeDescription';
import { fieldOptions, namingOption } from '../shared/parameters/options';
import {
	builderHint,
	choiceParameter,
	flagOptions,
	notice,
	optionsCollection,
	parseParameters,
	textParameter,
} from '../shared/parameters/parameter';
import type { Parameter, ParameterSource } from '../shared/parameters/parameter';
import { sheetProperty } from '../shared/parameters/sheet';
import { connectTrigger, eventsParameter, outputOption, watchedFields } from '../shared/trigger';
import { InputError } from '../api/values/inputError';
import { parsePublicKey } from '../api/webhooks/publicKey';

const events = eventsParameter(
	['CREATE', 'UPDATE', 'DELETE'],
	'The changes that start the workflow; those that workflows make come back as events, too. A delivery of IDs only tells no event, so this choice does not apply to it.',
);

/** The way in which the node's address is registered in the sheet. */
export const registrationParameter = choiceParameter({
	displayName: 'Registration',
	name: 'registration',
	choices: {
		automatic: [
			'Automatic',
			'The node enters its address in the sheet and removes it again, where the service allows it',
		],
		manual: ['Manual', "You paste the node's address into the sheet's webhook settings"],
	},
	default: 'manual',
	description: "How the sheet learns this node's address",
	...builderHint(
		"Keep 'manual' unless the user says that the service offers registration: the published service has no such request.",
	),
});

const registrationNotice = notice(
	'registrationNotice',
	'Copy the address from <b>Webhook URLs</b> above into the sheet: <b>Tools → Sync → Webhook</b>. Tick <b>Send full content of the changed record</b>, since only such deliveries are signed, and the events that should start the workflow. Then publish (activate) the workflow.',
	{ show: { registration: ['manual'] } },
);

const verification = choiceParameter({
	displayName: 'Verification',
	name: 'verification',
	choices: {
		ifPresent: [
			'If Signed',
			'Check signatures that are there, and also accept deliveries without one',
		],
		off: ['Off', 'Accept whatever arrives at the address'],
		require: ['Required', 'Accept only what the service has signed'],
	},
	default: 'require',
	description:
		"Whether deliveries must carry the service's signature. Where the service does not sign, Sheet Records Polling Trigger reads the changes itself.",
});

const publicKeySource = choiceParameter({
	displayName: 'Public Key From',
	name: 'publicKeySource',
	displayOptions: { hide: { verification: ['off'] } },
	choices: {
		pem: 'Pasted PEM',
		service: ['Service', 'Fetched when needed, and again after a change'],
	},
	default: 'service',
	description: 'Where the key that checks signatures comes from',
});

const publicKeyPem = textParameter({
	displayName: 'Public Key (PEM)',
	name: 'publicKeyPem',
	typeOptions: { rows: 6 },
	required: true,
	displayOptions: { hide: { verification: ['off'] }, show: { publicKeySource: ['pem'] } },
	placeholder: 'e.g. -----BEGIN PUBLIC KEY-----…',
	description: "The service's public key for webhooks, as it can be downloaded there",
});

/** The pasted key; undefined if the key is fetched from the service, or if no key is needed. */
const publicKey: Parameter<KeyObject | undefined, ParameterSource> = {
	properties: [...publicKeySource.properties, ...publicKeyPem.properties],
	parse(item) {
		if (verification.parse(item) === 'off' || publicKeySource.parse(item) === 'service') {
			return undefined;
		}
		const key = parsePublicKey(publicKeyPem.parse(item));
		if (key) return key;
		throw new InputError(
			"'Public Key (PEM)' is not an RSA public key",
			"Paste it whole, with its first and last line, or set 'Public Key From' to 'Service'.",
		);
	},
};

const options = optionsCollection({
	naming: namingOption,
	output: outputOption,
	downloadFiles: fieldOptions.downloadFiles,
	...flagOptions({
		simplify: [
			'Simplify',
			'Whether to return a simplified version of the record instead of what was sent',
		],
		fetchRecord: [
			'Fetch Record',
			'Whether to read each delivered record anew with the credential: items then hold what the sheet holds, whatever the delivery says, and a record that the sheet does not hold is dropped unless the delivery says that it was deleted. What cannot be read comes as it was delivered, marked with the reason. Deliveries of IDs only, which are not signed, need Verification to be If Signed or Off.',
		],
		skipUnchanged: [
			'Skip Unchanged',
			'Whether to drop updates that left a record as it was last seen. Editing on the list page saves unmodified records, too.',
		],
		skipRepeats: [
			'Skip Repeats',
			'Whether to drop a delivery whose records were all last seen with the same event and content, within five minutes',
		],
	}),
});

/** All settings of the node. */
export type SetUp = Awaited<ReturnType<typeof parseSetUp>>;

/** Parses all settings. Activation calls this, too, so that wrong settings do not only fail when a delivery arrives. Throws InputError. */
export async function parseSetUp(context: IHookFunctions | IWebhookFunctions) {
	const call = await connectTrigger(context);
	const parameters = { events, verification, publicKey, options };
	const { options: setOptions, ...settings } = await parseParameters(parameters, call);
	return { ...call, settings: { ...settings, ...setOptions } };
}

export const triggerProperties: INodeProperties[] = [
	...authenticationParameter.properties,
	...events.properties,
	{
		...sheetProperty,
		description:
			'The sheet whose changes start the workflow. Deliveries of other sheets are refused.',
	},
	...conditionsParameter.properties,
	...watchedFields.properties,
	...registrationParameter.properties,
	...registrationNotice.properties,
	...verification.properties,
	...publicKey.properties,
	...options.properties,
];
