import type { TriggerPanelDefinition } from 'n8n-workflow';

const steps = (address: string) =>
	[
		'<ol>',
		'<li>Open the sheet in the service, then <b>Tools → Sync → Webhook</b>.</li>',
		`<li>Paste the <b>${address} URL</b>, found under Webhook URLs.</li>`,
		'<li>Tick <b>Send full content of the changed record</b>: only such deliveries are signed.</li>',
		'<li>Tick the events that should start the workflow, and save.</li>',
		'</ol>',
	].join('');

/** Texts of the node's panel while it waits. A sheet has one list of receivers for tests and production. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Change a record of the sheet',
	executionsHelp: {
		inactive: `<b>While you build</b>, click the button above and let the sheet send to the test address:${steps('Test')}With Registration set to Automatic the node does this itself: the button says Stop Listening at once, but the sheet sends only when <b>Listening for test event</b> appears below.<br /><br /><b>When you are done</b>, publish the workflow and let the sheet send to the production address in the same way.<br /><br /><b>When the service cannot reach n8n</b>, or does not sign, take Sheet Records Polling Trigger: it asks for changes at intervals.`,
		active: `<b>While you build</b>, click the button above and let the sheet send to the test address.<br /><br /><b>Your workflow runs by itself</b> for each delivery to the production address:${steps('Production')}`,
	},
	activationHint: 'Publish the workflow to receive deliveries at the production address.',
};
