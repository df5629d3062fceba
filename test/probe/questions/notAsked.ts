import type { Point } from './question';

const delivery = 'it needs an address that the service can reach';
const limit = 'to find the limit is to overload the service';
/** Reason for points that do not affect the nodes. */
const noEffect = 'nothing of the nodes hangs on it';
const noButton = 'the sheet for the probe has no such button';
const noSuchField = 'the sheet for the probe has no such fields';

type Unasked = [point: string, reason: string, about?: Point];

const all: Unasked[] = [
	['A mass operation without a selection', 'it could change every record of the sheet'],
	['How many requests at once', limit, 'queueLength'],
	['The refusal of too many requests', limit, 'overloadAnswer'],
	['The largest `limit`', limit],
	['An error as a web page', noEffect],
	['An account that has expired or lacks texts of the service', noEffect],
	['A `POST` that does not finish (code 203)', noEffect],
	['A good key that is taken for a guest’s', 'the first line counts them', 'goodKeyRefusedEvery'],
	['How many requests a session serves', noEffect, 'sessionLifetimeRequests'],
	['Subtables in a list with `listing`', noEffect, 'listingSubtables'],
	['A filter on a field of a subtable', noEffect, 'subtableFilters'],
	['Whether comments, locks and approvals renew the Last Update Date', noEffect],
	['The word for fields that have no name', 'the line on their keys shows it', 'untitledWord'],
	["The key of the record's id in the answer to a write", noEffect, 'answerId'],
	['The sheet of users at `default/ragic-setup/1`', noEffect, 'usersSheet'],
	['The form of the vendor’s list of sheets', noEffect, 'pickerList'],
	['The form of the list of action buttons', noEffect, 'actionButtonList'],
	['The content type of a stored file', noEffect, 'fileTypes'],
	['How answers with a file name it', noEffect, 'fileNameForm'],
	['A stored file that is not there', noEffect, 'missingFile'],
	['Both `version` and `v`; what differs between versions', noEffect],
	['Addresses below a record (`…/1/abc`, `…/1/5/2`), and `…/5.json`', noEffect],
	['The operators `lk` and `range`', noEffect],
	["A login with the key's header, and one by a form (`POST /AUTH`)", noEffect],
	["The vendor's check of a credential (`n8nCredentialCheck.jsp`)", noEffect],
	['`POST`, `PUT` and `PATCH` on a record', noEffect],
	['The mark `html` on a `POST`', noEffect],
	['The name `_ragicModified` in filters', noEffect, 'modifiedName'],
	['How often the end of a task can be looked at', noEffect, 'looksUntilForgotten'],
	['A search-and-replace without an old value', noEffect],
	['An empty third argument with other operators than `eq`', noEffect],
	["`eqeq` on a sheet's own key field", noEffect],
	['How long an answer takes', 'the slowest answer is told above', 'latencyMilliseconds'],
	['A mark that is turned off (`lock=0`)', noEffect],
	['Parameters of mobile apps and a portal', noEffect, 'appParameters'],
	['The key `-1` beside the records of a list', noEffect, 'minusOneBesideRecords'],
	['System keys that reads of the mobile app contain', noEffect, 'mobileKeys'],
	['Dates without leading zeros', noEffect, 'dateZeros'],
	['The menu of one tab', noEffect, 'menuOfTab'],
	['The name of the account on a private host', noEffect, 'hostAccount'],
	['Entering a receiver by a form, without events', noEffect, 'subscriptionForm'],
	['`category` of the list of action buttons', noEffect, 'buttonCategory'],
	['`recordIds` in the body of a mass operation', noEffect, 'massSelection'],
	['The status of a button that was carried out', noButton, 'buttonStatus'],
	['Reports, dashboards and the setup in the menu', noEffect, 'menuContents'],
	['`SUCCESS` with a message that something was not found', noEffect, 'falseSuccess'],
	['Whether writes through the API send webhooks', delivery, 'webhooksOfApiWrites'],
	['Removing a receiver', 'it would change the receivers of the sheet', 'unsubscribing'],
	[
		'Removing a receiver that is not registered',
		'it would change the receivers of the sheet if it is',
		'unregisteredRemoval',
	],
	['How the list of receivers names events', 'it may have no receiver', 'subscriptionList'],
	['Repeated and delayed deliveries', delivery],
	['Linked fields that find no source under `doLinkLoad`', noSuchField],
	['New rows of a subtable that shows linked records', noSuchField],
	['The largest upload, and the largest mass operation', limit],
	['Scopes and revocation of keys', 'nothing of them shows from outside'],
	['Approval, conversation and history', 'the probe shows no data of people'],
];

/** Open points that the probe cannot ask about, or not without causing damage. */
export const unasked = all.map(([point, notAsked, about]) => ({ about, point, notAsked }));
