import type { TriggerPanelDefinition } from 'n8n-workflow';

const steps = (tab: 'Production' | 'Test') =>
	[
		'<ol>',
		`<li>Under <b>Webhook URLs</b>, click the tab <b>${tab} URL</b> and copy the address.</li>`,
		'<li>Open the sheet in the service, then <b>Tools → Sync → Webhook</b>, and paste the address.</li>',
		'<li>Select <b>Send full content of the changed record</b>: only those deliveries are signed.</li>',
		'<li>Select the events that start the workflow, and save.</li>',
		'</ol>',
	].join('');

/** Texts of the node's input panel. A sheet has one list of webhook addresses for tests and production. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Enter the Test URL in the sheet, then change a record',
	executionsHelp: {
		inactive: `<b>While you build the workflow</b>, click <b>Execute step</b>, and let the sheet send to the test address:${steps('Test')}<br />If Registration is set to Automatic, the node enters the address itself. The button changes to Stop Listening at once, but the sheet sends only when <b>Listening for test event</b> appears in this panel.<br /><br /><b>When you are done</b>, let the sheet send to the production address, and publish the workflow:${steps('Production')}<br /><b>If the service cannot reach n8n</b>, or does not sign its deliveries, use Sheet Records Polling Trigger instead: it reads the changes at intervals.`,
		active: `<b>While you build the workflow</b>, click <b>Execute step</b>, and let the sheet send to the test address.<br /><br /><b>The published workflow runs automatically</b> for each delivery to the production address:${steps('Production')}`,
	},
	activationHint: 'Publish the workflow to receive deliveries at the production address.',
};
