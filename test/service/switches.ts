import type { TaskState } from './massOperations/backgroundTask';
import type { SeenRequest } from './requestLog';
import type { JsonSpelling } from './webhooks/jsonWriter';
import type { PublicKeyForm, SignatureForm } from './webhooks/signingKey';

/** Whether a way of discovering sheets and fields answers, or how it refuses. */
export type DiscoverySwitch = 'on' | 'code106' | 'http404' | 'html';

/**
 * How the service behaves where the specification leaves it open. Change the members freely during
 * a test; `reset()` brings the defaults back, which are the most likely behaviour of the deployed
 * service.
 */
export interface Switches {
	/**
	 * The names of `_svcId`, `svcId` and two document parameters: the specification's or the deployed
	 * service's.
	 */
	dialect: 'standard' | 'ragic';

	/** Whether the account is served, has expired (code 303), or lacks texts of the service (code 107). */
	accountState: 'served' | 'expired' | 'withoutResources';
	/** The answer to an API key that nobody has. A wrongly *encoded* key is a guest: code 106. */
	wrongKeyAnswer: 'status401' | 'code106' | 'code105' | 'code304';
	/**
	 * What a successful login with `json=1` answers (endpoint 14); without `json=1` always the plain
	 * session id.
	 */
	loginAnswer: 'plainText' | 'accountsObject' | 'accountsArray';
	/**
	 * Every so many requests with a good key one is taken for a guest's: code 106, and nothing is done. The next
	 * one is served.
	 */
	goodKeyRefusedEvery: number | undefined;
	/** Whether a key does without the mark `api`; without both the interface for people answers. */
	apiFlag: 'alwaysNeeded' | 'notWithKey';
	/** Whether every read with a key opens a session and sets its cookie; a refusal then sets another one. */
	keyReadsOpenSession: boolean;
	/** How many requests a session serves before it expires. */
	sessionLifetimeRequests: number | undefined;
	expiredSessionAnswer: 'code301' | 'code302' | 'status401';
	/** The name of the session cookie, set by a login and read on every request. */
	cookieName: string;

	/** Whether an error comes with HTTP status 200 or with the status nearest to its code. */
	errorTransport: 'status200' | 'httpStatus';
	errorCodeKey: 'code' | 'errorCode';
	errorFormat: 'json' | 'html';
	/** A write that is refused for what it says (codes 201, 202) says so with its code, or only with `msg`. */
	writeRefusal: 'statusAndCode' | 'messageOnly';

	/** The keys of records when a request says no `naming`. */
	defaultNaming: 'FNAME' | 'EID';
	/** Whether numbers are written as JSON strings or, digit for digit, as JSON numbers. */
	numbersAsText: boolean;
	/** Whether a multiple selection with one choice is a plain string instead of an array. */
	singleChoiceAsText: boolean;
	/** Whether the array of a field with several files begins with an empty text. */
	leadingEmptyFile: boolean;
	/**
	 * Whether records carry the reserved keys `_index_`, `_index_calDates_` and `_dataTimestamp` as
	 * well.
	 */
	extraReservedKeys: boolean;
	missingRecord: 'empty' | 'code404' | 'http404';
	unknownReadParameter: 'ignored' | 'code102';
	/** Whether `n8n` and `singleEntryMode`, which the vendor's own clients send, are known parameters. */
	vendorParameters: 'known' | 'unknown';
	/** Whether a list of the fields on the listing page has the rows of subtables. */
	listingSubtables: 'shown' | 'leftOut';
	/** Whether a filter on a field of a subtable looks at the rows, or finds nothing. */
	subtableFilters: 'findRows' | 'findNothing';
	/** Whether filters and orders know the Last Update Date by the name `_ragicModified` as well. */
	modifiedName: 'unknown' | 'known';
	/** A cap on `limit` that is applied without a word. */
	maximumLimit: number | undefined;
	/** For how long a record just written is not found by a filter, by the service's clock. */
	filterLagMilliseconds: number;

	/** Times to the second, or cut to the minute: then many records have the same Last Update Date. */
	storedTimes: 'seconds' | 'minutes';
	/**
	 * What filters and orders compare of the Last Update Date: what is shown, or half a second more, as where times are
	 * kept finer than they are shown.
	 */
	comparedTimes: 'asShown' | 'finer';
	/** Whether comments, locks and approvals renew a record's Last Update Date as edits do. */
	updateDateRenewedBy: 'edits' | 'everyAction';

	/** Whether the answer to a create or an update holds the saved record as `data`. */
	answerCarriesData: boolean;
	/** When a unique field is checked: then a text that is there already makes the write INVALID (code 202). */
	uniqueFields: 'everyWrite' | 'doValidation';
	/**
	 * What becomes of a text that is no choice of a selection: it is stored, unless `doValidation` refuses it, or
	 * whatever is asked; or it is dropped without a word.
	 */
	unknownChoices: 'refusedByValidation' | 'stored' | 'dropped';
	/** What becomes of somebody who is no user of the account in a field for users. */
	unknownPeople: 'stored' | 'dropped';
	/** What becomes of a text in a field for dates that is none, unless `doValidation` refuses it. */
	wrongDates: 'stored' | 'lost';
	/** The `warning` of every successful write. */
	writeWarning: string;
	/**
	 * A field id in a body that the sheet does not have: the write is refused (code 201), or the
	 * field is.
	 */
	unknownBodyField: 'refused' | 'ignored';
	/** A row that the record does not hold: the write is refused (code 201), or the row is passed over. */
	unknownRows: 'refused' | 'passedOver';
	/** Whether new rows are numbered over the whole sheet, or over their subtable of their record. */
	rowNumbers: 'bySheet' | 'bySubtable';
	/**
	 * Whether every POST is answered, or given up with code 203: before its work, or after it although the
	 * work is done.
	 */
	unfinishedPosts: 'none' | 'undone' | 'done';
	missingDelete: 'success' | 'code404';
	/** The `msg` of a successful deletion, for example one about a recycle bin. */
	deleteMessage: string;

	/** `GET {sheet}/metadata/schema?api`; refused with code 106 to everyone but SYSAdmin. */
	schema: DiscoverySwitch;
	/** `GET {sheet}?api&def` */
	definition: DiscoverySwitch;
	/** `GET /{account}?api` */
	menu: DiscoverySwitch;
	/** `GET /api/http/integromatForms.jsp?n8n`: the sheets that a key may see, for the vendor's own clients. */
	picker: DiscoverySwitch;
	/** Whether the vendor's list of sheets is an object by keys of its own, or an array. */
	pickerList: 'object' | 'array';

	/** What `?type=string` answers as the public key for webhooks. */
	publicKeyForm: PublicKeyForm;
	signatureForm: SignatureForm;
	/** How the bodies of webhooks spell texts. */
	bodySpelling: JsonSpelling;
	/** How the text that is signed spells texts. */
	signedSpelling: JsonSpelling;
	/** Whether writes through the API send webhooks, too. */
	webhooksOfApiWrites: boolean;
	/** `/sims/webhookSubscribe.jsp`, `…Unsubscribe.jsp` and `/sims/webhooks.jsp` */
	subscriptions: DiscoverySwitch;

	/** What a removal of a receiver takes out: each entry of the address, or the one with just these events. */
	unsubscribing: 'address' | 'events';
	/** `GET {sheet}/metadata/actionButton?api` (endpoint 12) */
	actionButtons: DiscoverySwitch;
	/** Whether the buttons come inside an object or as a bare array: descriptions differ. */
	actionButtonList: 'object' | 'array';
	/** Whether the schema names the choices of selections. */
	schemaChoices: boolean;

	/** The shapes of bodies that mass operations accept: that of the specification's table, the other, both. */
	massBodies: 'first' | 'alternative' | 'both';
	/**
	 * A search-and-replace without an old value: refused (code 201), done where the field is empty, or passed
	 * over.
	 */
	emptyOldValue: 'refused' | 'fillsEmpty' | 'ignored';
	/** What a mass operation without a selection works on, if it is not refused. */
	emptySelection: 'everyRecord' | 'nothing' | 'refused';
	/** `GET /{account}?api&taskId=…` and `GET {sheet}?api&taskId=…` (endpoint 3) */
	taskAtAccount: DiscoverySwitch;
	taskAtSheet: DiscoverySwitch;
	/** With progress and total, with counts of records, or the status alone. */
	taskShape: 'progress' | 'counts' | 'short';
	/** The status words of tasks. */
	taskWords: Record<TaskState, string>;
	unknownTask: 'code404' | 'http404' | 'empty';
	/** After how many looks at its end a task is forgotten. */
	looksUntilForgotten: number | undefined;

	/**
	 * Where the sheet of internal users is, and its status words: as in the demo data, or at
	 * `default/ragic-setup/1` as well with `NORMAL` and `SUSPENDED`.
	 */
	usersSheet: 'neutral' | 'deployed';

	/** Whether whoever knows the stored value of a file may read it, without any identity (endpoint 5). */
	filesAreOpen: boolean;
	/**
	 * Whether stored files are given only to a session (endpoint 5), or to a session beside a key; reads with a
	 * key then set a session cookie.
	 */
	filesNeedSession: boolean | 'besideKey';
	missingFile: 'http404' | 'blankImage' | 'text';

	/** A record as a document (endpoint 4), or how the service fails at it. */
	documents: 'on' | 'json' | 'html' | 'empty' | 'http404';
	/** How answers with a file name it (RFC 6266): `filename*`, `filename="…"`, the same unencoded, or not. */
	fileNameForm: 'encoded' | 'quoted' | 'rawUtf8' | 'none';
	/** The content type of files and documents; `none` leaves the header out. */
	fileTypes: 'exact' | 'octetStream' | 'none';

	maximumRequestsPerSecond: number | undefined;
	/** How many GET requests of the account may be open at once. */
	queueLength: number;
	overloadAnswer: 'code204' | 'status429' | 'status503';
	/** The `Retry-After` header of an overload answer with a status; no header when undefined. */
	retryAfter: string | undefined;
	/** What a request waits before it is worked on; a function that is slow to say so holds it back. */
	latencyMilliseconds: number | ((request: SeenRequest) => number | Promise<number>);
}

/** The switches as they stand after a start or a reset. */
export function defaultSwitches(): Switches {
	return {
		dialect: 'standard',
		accountState: 'served',
		wrongKeyAnswer: 'status401',
		loginAnswer: 'accountsObject',
		goodKeyRefusedEvery: undefined,
		apiFlag: 'alwaysNeeded',
		keyReadsOpenSession: false,
		sessionLifetimeRequests: undefined,
		expiredSessionAnswer: 'code302',
		cookieName: 'JSESSIONID',
		errorTransport: 'status200',
		errorCodeKey: 'code',
		errorFormat: 'json',
		writeRefusal: 'statusAndCode',
		defaultNaming: 'FNAME',
		numbersAsText: true,
		singleChoiceAsText: false,
		leadingEmptyFile: true,
		extraReservedKeys: false,
		missingRecord: 'empty',
		unknownReadParameter: 'ignored',
		vendorParameters: 'known',
		listingSubtables: 'shown',
		subtableFilters: 'findRows',
		modifiedName: 'unknown',
		maximumLimit: undefined,
		filterLagMilliseconds: 0,
		storedTimes: 'seconds',
		comparedTimes: 'asShown',
		updateDateRenewedBy: 'edits',
		answerCarriesData: true,
		uniqueFields: 'everyWrite',
		unknownChoices: 'refusedByValidation',
		unknownPeople: 'stored',
		wrongDates: 'stored',
		writeWarning: '',
		unknownBodyField: 'refused',
		unknownRows: 'refused',
		rowNumbers: 'bySheet',
		unfinishedPosts: 'none',
		missingDelete: 'success',
		deleteMessage: '',
		schema: 'on',
		definition: 'on',
		menu: 'on',
		picker: 'on',
		pickerList: 'object',
		publicKeyForm: 'der',
		signatureForm: 'base64',
		bodySpelling: 'plain',
		signedSpelling: 'plain',
		webhooksOfApiWrites: true,
		subscriptions: 'on',
		unsubscribing: 'address',
		actionButtons: 'on',
		actionButtonList: 'object',
		schemaChoices: false,
		massBodies: 'first',
		emptyOldValue: 'refused',
		emptySelection: 'everyRecord',
		taskAtAccount: 'on',
		taskAtSheet: 'on',
		taskShape: 'progress',
		taskWords: {
			waiting: 'NOT_STARTED',
			running: 'RUNNING',
			done: 'COMPLETED',
			failed: 'FAILED',
		},
		unknownTask: 'code404',
		looksUntilForgotten: undefined,
		usersSheet: 'neutral',
		filesAreOpen: false,
		filesNeedSession: false,
		missingFile: 'http404',
		documents: 'on',
		fileNameForm: 'encoded',
		fileTypes: 'exact',
		maximumRequestsPerSecond: undefined,
		queueLength: 50,
		overloadAnswer: 'code204',
		retryAfter: '0',
		latencyMilliseconds: 0,
	};
}
