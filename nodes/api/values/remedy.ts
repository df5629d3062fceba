/**
 * What a user can do about an error. `api` names the remedy and knows no label of the editor; the text
 * that names the node's own parameters is made in `nodes/ui/remedies.ts`.
 */
export type Remedy =
	| 'checkAccount'
	| 'checkAddress'
	| 'checkBaseUrl'
	| 'checkConnection'
	| 'checkForwarding'
	| 'checkPort'
	| 'checkProxy'
	| 'followAccount'
	| 'getRows'
	| 'numberNewRows'
	| 'setBaseUrl'
	| 'trustCertificate'
	| 'unlockRecord'
	| 'useApiKey'
	| 'useOwnServer'
	| 'waitLonger';
