import type { INodeProperties } from 'n8n-workflow';
import { authenticationParameter } from '../shared/authentication';
import { builderHint } from '../shared/builderHint';
import { fieldKeysParameter, simplifyParameter } from '../shared/recordOutput';
import { sheetParameter } from '../shared/sheet';

export const triggerParameters: INodeProperties[] = [
	authenticationParameter,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Record Created', value: 'CREATE' },
			{ name: 'Record Deleted', value: 'DELETE' },
			{ name: 'Record Updated', value: 'UPDATE' },
		],
		default: ['CREATE', 'UPDATE', 'DELETE'],
		description:
			'The changes that start the workflow; those that workflows make come back as events, too. A delivery of IDs only tells no event, so this choice does not apply to it.',
	},
	{
		...sheetParameter,
		description:
			'The sheet whose changes start the workflow. Deliveries of other sheets are refused.',
	},
	{
		displayName: 'Registration',
		name: 'registration',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'The node enters its address in the sheet and removes it again, where the service allows it',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: "You paste the node's address into the sheet's webhook settings",
			},
		],
		default: 'manual',
		description: "How the sheet learns this node's address",
		...builderHint(
			"Keep 'manual' unless the user says that the service offers registration: the published service has no such request.",
		),
	},
	{
		displayName:
			'Copy the address from <b>Webhook URLs</b> above into the sheet: <b>Tools → Sync → Webhook</b>. Tick <b>Send full content of the changed record</b>, since only such deliveries are signed, and the events that should start the workflow. Then publish (activate) the workflow.',
		name: 'registrationNotice',
		type: 'notice',
		displayOptions: { show: { registration: ['manual'] } },
		default: '',
	},
	{
		displayName: 'Verification',
		name: 'verification',
		type: 'options',
		options: [
			{
				name: 'If Signed',
				value: 'ifPresent',
				description: 'Check signatures that are there, and also accept deliveries without one',
			},
			{ name: 'Off', value: 'off', description: 'Accept whatever arrives at the address' },
			{
				name: 'Required',
				value: 'require',
				description: 'Accept only what the service has signed',
			},
		],
		default: 'require',
		description: "Whether deliveries must carry the service's signature",
	},
	{
		displayName: 'Public Key From',
		name: 'publicKeySource',
		type: 'options',
		displayOptions: { hide: { verification: ['off'] } },
		options: [
			{ name: 'Pasted PEM', value: 'pem' },
			{
				name: 'Service',
				value: 'service',
				description: 'Fetched when needed, and again after a change',
			},
		],
		default: 'service',
		description: 'Where the key that checks signatures comes from',
	},
	{
		displayName: 'Public Key (PEM)',
		name: 'publicKeyPem',
		type: 'string',
		typeOptions: { rows: 6 },
		required: true,
		displayOptions: { hide: { verification: ['off'] }, show: { publicKeySource: ['pem'] } },
		placeholder: 'e.g. -----BEGIN PUBLIC KEY-----…',
		default: '',
		description: "The service's public key for webhooks, as it can be downloaded there",
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Fetch Record',
				name: 'fetchRecord',
				type: 'boolean',
				default: true,
				description:
					'Whether to read each delivered record anew with the credential: items then hold what the sheet holds, whatever the delivery says, and a record that the sheet does not hold is dropped unless the delivery says that it was deleted. A delivery causes at most 100 requests. Deliveries of IDs only, which are not signed, need Verification to be If Signed or Off.',
			},
			{ ...fieldKeysParameter, default: 'id' },
			{
				...simplifyParameter,
				description:
					'Whether to return a simplified version of the record instead of what was sent',
			},
			{
				displayName: 'Skip Repeats',
				name: 'skipRepeats',
				type: 'boolean',
				default: true,
				description:
					'Whether to drop a delivery whose records were all last seen with the same event and content',
			},
			{
				displayName: 'Skip Unchanged',
				name: 'skipUnchanged',
				type: 'boolean',
				default: true,
				description:
					'Whether to drop updates that left a record as it was last seen. Editing on the list page saves unmodified records, too.',
			},
		],
	},
];
