import type { TaskState } from './massOperations/backgroundTask';
import type { SeenRequest } from './requestLog';
import type { JsonSpelling, PublicKeyForm, SignatureForm } from './webhooks/signingKey';

/** Whether a way of discovering sheets and fields answers, or how it refuses. */
export type DiscoverySwitch = 'on' | 'code106' | 'http404' | 'html';

/**
 * How the service behaves where the specification leaves it open. Change the members freely during
 * a test; `reset()` brings the defaults back, which are the most likely behaviour of the deployed
 * service.
 */
export class Switches {
	/**
	 * The names of `_svcId`, `svcId` and two document parameters: the specification's or the deployed
	 * service's.
	 */
	dialect: 'standard' | 'ragic' = 'standard';

	/** Whether the account is served, has expired (code 303), or lacks texts of the service (code 107). */
	accountState: 'served' | 'expired' | 'withoutResources' = 'served';
	/** The answer to an API key that nobody has. A wrongly *encoded* key is a guest: code 106. */
	wrongKeyAnswer: 'status401' | 'code106' | 'code105' | 'code304' = 'status401';
	/**
	 * What a successful login with `json=1` answers (endpoint 14); without `json=1` always the plain
	 * session id.
	 */
	loginAnswer: 'plainText' | 'accountsObject' | 'accountsArray' = 'accountsObject';
	/**
	 * Every so many requests with a good key one is taken for a guest's: code 106, and nothing is done. The next
	 * one is served.
	 */
	goodKeyRefusedEvery: number | undefined = undefined;
	/** Whether a key does without the mark `api`; without both the interface for people answers. */
	apiFlag: 'alwaysNeeded' | 'notWithKey' = 'alwaysNeeded';
	/** Whether every read with a key opens a session and sets its cookie; a refusal then sets another one. */
	keyReadsOpenSession = false;
	/** How many requests a session serves before it expires. */
	sessionLifetimeRequests: number | undefined = undefined;
	expiredSessionAnswer: 'code301' | 'code302' | 'status401' = 'code302';
	/** The name of the session cookie, set by a login and read on every request. */
	cookieName = 'JSESSIONID';

	/** Whether an error comes with HTTP status 200 or with the status nearest to its code. */
	errorTransport: 'status200' | 'httpStatus' = 'status200';
	errorCodeKey: 'code' | 'errorCode' = 'code';
	errorFormat: 'json' | 'html' = 'json';
	/** A write that is refused for what it says (codes 201, 202) says so with its code, or only with `msg`. */
	writeRefusal: 'statusAndCode' | 'messageOnly' = 'statusAndCode';

	/** The keys of records when a request says no `naming`. */
	defaultNaming: 'FNAME' | 'EID' = 'FNAME';
	/** Whether numbers are written as JSON strings or, digit for digit, as JSON numbers. */
	numbersAsText = true;
	/** Whether a multiple selection with one choice is a plain string instead of an array. */
	singleChoiceAsText = false;
	/** Whether the array of a field with several files begins with an empty text. */
	leadingEmptyFile = true;
	/**
	 * Whether records carry the reserved keys `_index_`, `_index_calDates_` and `_dataTimestamp` as
	 * well.
	 */
	extraReservedKeys = false;
	missingRecord: 'empty' | 'code404' | 'http404' = 'empty';
	unknownReadParameter: 'ignored' | 'code102' = 'ignored';
	/** Whether `n8n` and `singleEntryMode`, which the vendor's own clients send, are known parameters. */
	vendorParameters: 'known' | 'unknown' = 'known';
	/** Whether a list of the fields on the listing page has the rows of subtables. */
	listingSubtables: 'shown' | 'leftOut' = 'shown';
	/** Whether a filter on a field of a subtable looks at the rows, or finds nothing. */
	subtableFilters: 'findRows' | 'findNothing' = 'findRows';
	/** Whether filters and orders know the Last Update Date by the name `_ragicModified` as well. */
	modifiedName: 'unknown' | 'known' = 'unknown';
	/** A cap on `limit` that is applied without a word. */
	maximumLimit: number | undefined = undefined;
	/** For how long a record just written is not found by a filter, by the service's clock. */
	filterLagMilliseconds = 0;

	/** Times to the second, or cut to the minute: then many records have the same Last Update Date. */
	storedTimes: 'seconds' | 'minutes' = 'seconds';
	/**
	 * What filters and orders compare of the Last Update Date: what is shown, or half a second more, as where times are
	 * kept finer than they are shown.
	 */
	comparedTimes: 'asShown' | 'finer' = 'asShown';
	/** Whether comments, locks and approvals renew a record's Last Update Date as edits do. */
	updateDateRenewedBy: 'edits' | 'everyAction' = 'edits';

	/** Whether the answer to a create or an update holds the saved record as `data`. */
	answerCarriesData = true;
	/** When a unique field is checked: then a text that is there already makes the write INVALID (code 202). */
	uniqueFields: 'everyWrite' | 'doValidation' = 'everyWrite';
	/**
	 * What becomes of a text that is no choice of a selection: it is stored, unless `doValidation` refuses it, or
	 * whatever is asked; or it is dropped without a word.
	 */
	unknownChoices: 'refusedByValidation' | 'stored' | 'dropped' = 'refusedByValidation';
	/** What becomes of somebody who is no user of the account in a field for users. */
	unknownPeople: 'stored' | 'dropped' = 'stored';
	/** What becomes of a text in a field for dates that is none, unless `doValidation` refuses it. */
	wrongDates: 'stored' | 'lost' = 'stored';
	/** The `warning` of every successful write. */
	writeWarning = '';
	/**
	 * A field id in a body that the sheet does not have: the write is refused (code 201), or the
	 * field is.
	 */
	unknownBodyField: 'refused' | 'ignored' = 'refused';
	/** A row that the record does not hold: the write is refused (code 201), or the row is passed over. */
	unknownRows: 'refused' | 'passedOver' = 'refused';
	/** Whether new rows are numbered over the whole sheet, or over their subtable of their record. */
	rowNumbers: 'bySheet' | 'bySubtable' = 'bySheet';
	/**
	 * Whether every POST is answered, or given up with code 203: before its work, or after it although the
	 * work is done.
	 */
	unfinishedPosts: 'none' | 'undone' | 'done' = 'none';
	missingDelete: 'success' | 'code404' = 'success';
	/** The `msg` of a successful deletion, for example one about a recycle bin. */
	deleteMessage = '';

	/** `GET {sheet}/metadata/schema?api`; refused with code 106 to everyone but SYSAdmin. */
	schema: DiscoverySwitch = 'on';
	/** `GET {sheet}?api&def` */
	definition: DiscoverySwitch = 'on';
	/** `GET /{account}?api` */
	menu: DiscoverySwitch = 'on';
	/** `GET /api/http/integromatForms.jsp?n8n`: the sheets that a key may see, for the vendor's own clients. */
	picker: DiscoverySwitch = 'on';
	/** Whether the vendor's list of sheets is an object by keys of its own, or an array. */
	pickerList: 'object' | 'array' = 'object';

	/** What `?type=string` answers as the public key for webhooks. */
	publicKeyForm: PublicKeyForm = 'der';
	signatureForm: SignatureForm = 'base64';
	/** How the bodies of webhooks spell texts. */
	bodySpelling: JsonSpelling = 'plain';
	/** How the text that is signed spells texts. */
	signedSpelling: JsonSpelling = 'plain';
	/** Whether writes through the API send webhooks, too. */
	webhooksOfApiWrites = true;
	/** `/sims/webhookSubscribe.jsp`, `…Unsubscribe.jsp` and `/sims/webhooks.jsp` */
	subscriptions: DiscoverySwitch = 'on';

	/** What a removal of a receiver takes out: each entry of the address, or the one with just these events. */
	unsubscribing: 'address' | 'events' = 'address';
	/** `GET {sheet}/metadata/actionButton?api` (endpoint 12) */
	actionButtons: DiscoverySwitch = 'on';
	/** Whether the buttons come inside an object or as a bare array: descriptions differ. */
	actionButtonList: 'object' | 'array' = 'object';
	/** Whether the schema names the choices of selections. */
	schemaChoices = false;

	/** The shapes of bodies that mass operations accept: that of the specification's table, the other, both. */
	massBodies: 'first' | 'alternative' | 'both' = 'first';
	/**
	 * A search-and-replace without an old value: refused (code 201), done where the field is empty, or passed
	 * over.
	 */
	emptyOldValue: 'refused' | 'fillsEmpty' | 'ignored' = 'refused';
	/** What a mass operation without a selection works on, if it is not refused. */
	emptySelection: 'everyRecord' | 'nothing' | 'refused' = 'everyRecord';
	/** `GET /{account}?api&taskId=…` and `GET {sheet}?api&taskId=…` (endpoint 3) */
	taskAtAccount: DiscoverySwitch = 'on';
	taskAtSheet: DiscoverySwitch = 'on';
	/** With progress and total, with counts of records, or the status alone. */
	taskShape: 'progress' | 'counts' | 'short' = 'progress';
	/** The status words of tasks. */
	taskWords: Record<TaskState, string> = {
		waiting: 'NOT_STARTED',
		running: 'RUNNING',
		done: 'COMPLETED',
		failed: 'FAILED',
	};
	unknownTask: 'code404' | 'http404' | 'empty' = 'code404';
	/** After how many looks at its end a task is forgotten. */
	looksUntilForgotten: number | undefined = undefined;

	/**
	 * Where the sheet of internal users is, and its status words: as in the demo data, or at
	 * `default/ragic-setup/1` as well with `NORMAL` and `SUSPENDED`.
	 */
	usersSheet: 'neutral' | 'deployed' = 'neutral';

	/** Whether whoever knows the stored value of a file may read it, without any identity (endpoint 5). */
	filesAreOpen = false;
	/**
	 * Whether stored files are given only to a session (endpoint 5), or to a session beside a key; reads with a
	 * key then set a session cookie.
	 */
	filesNeedSession: boolean | 'besideKey' = false;
	missingFile: 'http404' | 'blankImage' | 'text' = 'http404';

	/** A record as a document (endpoint 4), or how the service fails at it. */
	documents: 'on' | 'json' | 'html' | 'empty' | 'http404' = 'on';
	/** How answers with a file name it (RFC 6266): `filename*`, `filename="…"`, the same unencoded, or not. */
	fileNameForm: 'encoded' | 'quoted' | 'rawUtf8' | 'none' = 'encoded';
	/** The content type of files and documents; `none` leaves the header out. */
	fileTypes: 'exact' | 'octetStream' | 'none' = 'exact';

	maximumRequestsPerSecond: number | undefined = undefined;
	/** How many GET requests of the account may be open at once. */
	queueLength = 50;
	overloadAnswer: 'code204' | 'status429' | 'status503' = 'code204';
	/** The `Retry-After` header of an overload answer with a status; no header when undefined. */
	retryAfter: string | undefined = '0';
	/** What a request waits before it is worked on; a function that is slow to say so holds it back. */
	latencyMilliseconds: number | ((request: SeenRequest) => number | Promise<number>) = 0;
}

/** The switches as they stand after a start or a reset. */
export function defaultSwitches(): Switches {
	return new Switches();
}
