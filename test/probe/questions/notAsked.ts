import type { Point } from './question';

const delivery = 'it needs an address that the service can reach';
const limit = 'to find the limit is to overload the service';
/** To the nodes all readings are alike, or they never ask for it. */
const alike = 'nothing of the nodes hangs on it';
const noSuchField = 'the sheet for the probe has no such fields';

type Unasked = [point: string, reason: string, about?: Point];

const all: Unasked[] = [
	['A mass operation without a selection', 'it could change every record of the sheet'],
	['How many requests at once', limit, 'queueLength'],
	['The refusal of too many requests', limit, 'overloadAnswer'],
	['The largest `limit`', limit],
	['An error as a web page', alike],
	['An account that has expired or lacks texts of the service', alike],
	['A `POST` that does not finish (code 203)', alike],
	['A good key that is taken for a guest’s', 'the first line counts them', 'goodKeyRefusedEvery'],
	['How many requests a session serves', alike, 'sessionLifetimeRequests'],
	['Subtables in a list with `listing`', alike, 'listingSubtables'],
	['A filter on a field of a subtable', alike, 'subtableFilters'],
	['Whether comments, locks and approvals renew the Last Update Date', alike],
	['The word for fields that have no name', 'the line on their keys shows it', 'untitledWord'],
	["The key of the record's id in the answer to a write", alike, 'answerId'],
	['The sheet of users at `default/ragic-setup/1`', alike, 'usersSheet'],
	['The form of the vendor’s list of sheets', alike, 'pickerList'],
	['The form of the list of action buttons', alike, 'actionButtonList'],
	['The content type of a stored file', alike, 'fileTypes'],
	['How answers with a file name it', alike, 'fileNameForm'],
	['A stored file that is not there', alike, 'missingFile'],
	['Both `version` and `v`; what differs between versions', alike],
	['Addresses below a record (`…/1/abc`, `…/1/5/2`), and `…/5.json`', alike],
	['The operators `lk` and `range`', alike],
	["A login with the key's header, and one by a form (`POST /AUTH`)", alike],
	["The vendor's check of a credential (`n8nCredentialCheck.jsp`)", alike],
	['A list as a workbook or as a letter, and the older `customPrintTemplateId`', alike],
	['`POST`, `PUT` and `PATCH` on a record', alike],
	['The mark `html` on a `POST`', alike],
	['The name `_ragicModified` in filters', alike, 'modifiedName'],
	['How often the end of a task can be looked at', alike, 'looksUntilForgotten'],
	['A search-and-replace without an old value', alike],
	['An empty third argument with other operators than `eq`', alike],
	["`eqeq` on a sheet's own key field", alike],
	['How long an answer takes', 'the slowest answer is told above', 'latencyMilliseconds'],
	['Whether writes through the API send webhooks', delivery, 'webhooksOfApiWrites'],
	['Removing a receiver', 'it would change the receivers of the sheet', 'unsubscribing'],
	['How the list of receivers names events', 'it may have no receiver', 'subscriptionList'],
	['Repeated and delayed deliveries', delivery],
	['Linked fields that find no source under `doLinkLoad`', noSuchField],
	['New rows of a subtable that shows linked records', noSuchField],
	['The largest upload, and the largest mass operation', limit],
	['Scopes and revocation of keys', 'nothing of them shows from outside'],
	['Approval, conversation and history', 'the probe shows no data of people'],
];

/** What cannot be asked from outside, or not without harm. */
export const unasked = all.map(([point, notAsked, about]) => ({ about, point, notAsked }));
