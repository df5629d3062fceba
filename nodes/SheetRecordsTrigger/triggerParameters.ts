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

/** How the sheet learns the node's address. */
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
	'Copy the address from the tab <b>Production URL</b> of <b>Webhook URLs</b> above, and paste it in the sheet under <b>Tools → Sync → Webhook</b>. Select the events and <b>Send full content of the changed record</b> (only those deliveries are signed), then publish this workflow.',
	{ show: { registration: ['manual'] } },
);

/** n8n hides the help of the trigger panel while it listens, so this stands among the parameters. */
const testRunNotice = notice(
	'testRunNotice',
	'For a test run, paste the address from the tab <b>Test URL</b> instead, and change a record while n8n is listening.',
	{ show: { registration: ['manual'] } },
);

const automaticNotice = notice(
	'automaticNotice',
	'The node enters its address in the sheet when you publish the workflow, and during a test run. In a test run, wait for <b>Listening for test event</b> before you change a record.',
	{ show: { registration: ['automatic'] } },
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

/** The key that was pasted; undefined when the service's own is to be fetched, or none is needed. */
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

/** How the node is set up. */
export type SetUp = Awaited<ReturnType<typeof readSetUp>>;

/** Reads all settings, so that what is wrong in one is said on activation and not when a delivery comes. Throws InputError. */
export async function readSetUp(context: IHookFunctions | IWebhookFunctions) {
	const call = await connectTrigger(context);
	const parameters = { events, verification, publicKey, options };
	const { options: chosen, ...others } = await parseParameters(parameters, call);
	return { ...call, settings: { ...others, ...chosen } };
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
	...testRunNotice.properties,
	...automaticNotice.properties,
	...verification.properties,
	...publicKey.properties,
	...options.properties,
];
