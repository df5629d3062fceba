import { Editor, type SavedCredential } from '../e2e/editor';
import { example, exampleNames } from '../e2e/chain';
import { freePort } from '../e2e/commandLine';
import { installN8n } from '../e2e/installN8n';
import { discardPackage, installPackage, packPackage } from '../e2e/installPackage';
import { owner } from '../e2e/ownersSession';
import { RunningN8n } from '../e2e/runningN8n';
import { customers, startReferenceService, type ReferenceService } from '../service';
import { emphasised, print, refused } from './display';

const usualPort = 5678;

/** Starts a real n8n with the package, credentials and examples, and the reference service. Both run until Ctrl-C. */
export async function showEditor(stop: Promise<void>): Promise<number> {
	const installed = installN8n((text) => print(`· ${text} …`));
	print(`· Starting n8n ${installed.version} …`);
	const service = await startReferenceService();
	const n8n = await RunningN8n.prepare({
		installed,
		certificateAuthorityPath: service.caCertificatePath,
		port: await freePort(usualPort),
	});
	try {
		const packed = packPackage();
		installPackage(packed, n8n.userFolder);
		discardPackage(packed);
		const ready = n8n.start().then(async () => await fill(new Editor(n8n.url), service));
		const isReady = await Promise.race([ready.then(() => true), stop.then(() => false)]);
		if (isReady) printWelcome(n8n, service);
		await stop;
		print('· Ending n8n and the reference service …');
		return 0;
	} finally {
		await n8n.remove();
		await service.close();
	}
}

/** Creates the owner, a credential of each type, all example workflows, and the data that some examples need. */
async function fill(editor: Editor, service: ReferenceService): Promise<void> {
	await editor.setUpOwner();
	const credentials = await saveCredentials(editor, service);
	service.data.sheet(customers).periodicImport.enabled = true;
	await editor.createDataTable('customers', Object.keys(customerRow), [customerRow]);
	for (const name of exampleNames()) await editor.importWorkflow(example(name), credentials);
}

const customerRow = {
	number: 'C-0401',
	name: 'Newcomer Ltd',
	city: 'Porto',
	email: 'hello@newcomer.example',
};

async function saveCredentials(
	editor: Editor,
	{ baseUrl, account, identities }: ReferenceService,
): Promise<SavedCredential[]> {
	const { apiKey, email, password } = identities.admin;
	// n8n preselects the credential saved last in a new node.
	const credentials = [
		await editor.createCredential(
			'sheetRecordsSessionApi',
			{ baseUrl, account, email, password },
			'Sheet Records demo session',
		),
		await editor.createCredential(
			'sheetRecordsApi',
			{ baseUrl, account, apiKey },
			'Sheet Records demo',
		),
	];
	for (const credential of credentials) {
		const { status, message } = await editor.testCredential(credential);
		if (status !== 'OK') print(refused(`The credential ${credential.name} fails: ${message}`));
	}
	return credentials;
}

function printWelcome({ url }: RunningN8n, service: ReferenceService): void {
	const { baseUrl, account, identities } = service;
	print();
	print(emphasised('n8n is ready, with credentials and example workflows in place'));
	print();
	print(`  Address   ${url}`);
	print(`  Email     ${owner.email}`);
	print(`  Password  ${owner.password}`);
	print();
	print('A new node takes the credential of the reference service. To enter one by hand:');
	print();
	print(`  Base URL  ${baseUrl}`);
	print(`  Account   ${account}`);
	print(`  API Key   ${identities.admin.apiKey}`);
	print();
	print('Both listen on this machine only, and what you do there is gone afterwards.');
	print('Ctrl-C ends all of it.');
}
