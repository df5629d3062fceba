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
	'Changes that start the workflow, including changes made by workflows. Deliveries with only record IDs name no event, so this choice does not apply to them.',
);

/** The way in which the node's address is registered in the sheet. */
export const registrationParameter = choiceParameter({
	displayName: 'Registration',
	name: 'registration',
	choices: {
		automatic: [
			'Automatic',
			'The node enters its address in the sheet and removes it again, if the service allows it',
		],
		manual: ['Manual', "You paste the node's address in the webhook settings of the sheet"],
	},
	default: 'manual',
	description: "How this node's address is entered in the sheet",
	...builderHint(
		"Keep 'manual' unless the user confirms that the service offers registration: the published service has no such request.",
	),
});

const registrationNotice = notice(
	'registrationNotice',
	"Copy the address from the tab 'Production URL' of 'Webhook URLs' above, and paste it in the sheet under Tools → Sync → Webhook. Select the events and 'Send full content of the changed record' (only those deliveries are signed), then publish this workflow.",
	{ show: { registration: ['manual'] } },
);

/** n8n hides the help of the trigger panel while it listens, so this stands among the parameters. */
const testRunNotice = notice(
	'testRunNotice',
	"For a test run, paste the address from the tab 'Test URL' instead, and change a record while n8n is listening.",
	{ show: { registration: ['manual'] } },
);

const automaticNotice = notice(
	'automaticNotice',
	"The node enters its address in the sheet when you publish the workflow, and during a test run. In a test run, wait for 'Listening for test event' before you change a record.",
	{ show: { registration: ['automatic'] } },
);

const verification = choiceParameter({
	displayName: 'Verification',
	name: 'verification',
	choices: {
		ifPresent: ['If Signed', 'Check a signature if present, accept unsigned deliveries'],
		off: ['Off', 'Accept all deliveries without checking'],
		require: ['Required', 'Accept only deliveries signed by the service'],
	},
	default: 'require',
	description:
		'Whether deliveries must be signed by the service. If the service does not sign deliveries, use Sheet Records Polling Trigger instead.',
});

const publicKeySource = choiceParameter({
	displayName: 'Public Key From',
	name: 'publicKeySource',
	displayOptions: { hide: { verification: ['off'] } },
	choices: {
		pem: 'Pasted PEM',
		service: ['Service', 'Downloaded from the service when needed, and again after a change'],
	},
	default: 'service',
	description: 'Source of the key that checks signatures',
});

const publicKeyPem = textParameter({
	displayName: 'Public Key (PEM)',
	name: 'publicKeyPem',
	typeOptions: { rows: 6 },
	required: true,
	displayOptions: { hide: { verification: ['off'] }, show: { publicKeySource: ['pem'] } },
	placeholder: 'e.g. -----BEGIN PUBLIC KEY-----…',
	description: 'Public key for webhooks, as downloaded from the service',
});

/** The pasted key; undefined if the service provides it, or none is needed. Parsing throws InputError if it is not an RSA key. */
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
			"Paste the complete key, with its first and last line, or set 'Public Key From' to 'Service'.",
		);
	},
};

const options = optionsCollection({
	naming: namingOption,
	output: outputOption,
	downloadFiles: fieldOptions.downloadFiles,
	...flagOptions({
		simplify: {
			label: 'Simplify',
			description:
				'Whether to return a simplified version of the record instead of the delivered data',
		},
		fetchRecord: {
			label: 'Fetch Record',
			description:
				"Whether to read each record again with this node's credential, so the item contains what the sheet holds now instead of what was delivered. Records not on the sheet are dropped, except deletions. Unsigned deliveries with only record IDs also require 'Verification' to be 'If Signed' or 'Off'.",
		},
		skipUnchanged: {
			label: 'Skip Unchanged',
			description:
				'Whether to ignore updates that did not change the record. Editing on the list page also saves unmodified records.',
		},
		skipRepeats: {
			label: 'Skip Repeats',
			description:
				'Whether to ignore a delivery identical to one received in the last five minutes',
		},
	}),
});

/** The client, sheet and settings of the node. Filters, watched fields and registration are parsed separately. */
export type TriggerSetup = Awaited<ReturnType<typeof parseSetup>>;

/**
 * Connects the node, and parses its settings except filters, watched fields (see `changeFilter`) and registration. Activation
 * calls this, too, so that wrong settings do not only fail when a delivery arrives. Throws InputError.
 */
export async function parseSetup(context: IHookFunctions | IWebhookFunctions) {
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
			'Sheet whose changes start the workflow. Deliveries from other sheets are rejected.',
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
