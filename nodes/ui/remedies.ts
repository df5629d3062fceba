import type { Remedy } from '../api/values/inputError';

/** What properties of the credentials are called. */
export const credentialLabels = {
	baseUrl: 'Base URL',
	account: 'Account',
	ignoreSsl: 'Ignore SSL Issues (Insecure)',
};

const baseUrl = `'${credentialLabels.baseUrl}'`;
const account = `'${credentialLabels.account}'`;
const ignoreSsl = `'${credentialLabels.ignoreSsl}'`;

/** What to do, in the words of the editor. */
export const remedyTexts: Record<Remedy, string> = {
	getRows:
		"The row may have been deleted. The operation 'Get Many' of the resource 'Subtable Row' returns the IDs of the rows.",
	numberNewRows: "Give the rows no IDs, as new ones, and count them in 'Files': -1, -2, …",
	readInformation:
		"Read the record with the option 'Include Record Information' before it is changed.",
	checkAccount: `Check ${account} in the credential: it is the first part of the address behind the host.`,
	checkAddress: `Check ${baseUrl} and ${account} in the credential, and the sheet.`,
	checkBaseUrl: `Check ${baseUrl} in the credential.`,
	checkConnection: `Check the host and the port of ${baseUrl} in the credential, and whether n8n's host may open connections to it.`,
	checkProxy: `Check ${baseUrl} in the credential, and whether a proxy stands between n8n and the service.`,
	followAccount: `If the account has moved, set ${baseUrl} in the credential to its new address.`,
	setBaseUrl: `Set ${baseUrl} in the credential to https://host, e.g. https://www.example.com.`,
	trustCertificate: `Check ${baseUrl} in the credential. For a private certificate authority, give its certificate to n8n with NODE_EXTRA_CA_CERTS, or, where that cannot be done and the network is your own, turn on ${ignoreSsl} there. If it is said to have expired, or not to be valid yet, check the clock of n8n's host.`,
	unlockRecord:
		"Unlock it first with the operation 'Unlock' of the resource 'Lock', or turn off 'Check Lock'.",
	waitLonger:
		"To go on waiting, use the resource 'Task' with the operation 'Wait' and this task ID, or raise 'Timeout'.",
};
