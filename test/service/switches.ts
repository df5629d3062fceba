import type { TaskState } from './massOperations/backgroundTask';
import type { JsonSpelling, PublicKeyForm, SignatureForm } from './webhooks/signingKey';

/** State of an endpoint that lists sheets or fields: it answers, or it fails in one of these ways. */
export type DiscoverySwitch = 'on' | 'code106' | 'http404' | 'html';

type Words = Record<TaskState, string>;

function among<T extends string | boolean>(...all: T[]): readonly T[] {
	return all;
}

function some<T>(...all: T[]): readonly T[] {
	return all;
}

const discovery = some<DiscoverySwitch>('on', 'code106', 'http404', 'html');
const spellings = some<JsonSpelling>('plain', 'htmlSafe', 'escapedSlashAndNonAscii');
const words = { waiting: 'NOT_STARTED', running: 'RUNNING', done: 'COMPLETED', failed: 'FAILED' };

/**
 * Behavior that the specification leaves open: the positions of each switch, the default first. Switches made with `some`
 * accept other values, too. The table in the README describes each switch.
 */
export const positions = {
	dialect: among('ragic', 'standard'),

	/** A wrongly *encoded* key makes the caller a guest: code 106. */
	wrongKeyAnswer: among('status401', 'code106', 'code105', 'code304'),
	/** Answer to a login with `json=1` (endpoint 14). Without it, the answer is always the plain session ID. */
	loginAnswer: among('accountsObject', 'plainText', 'accountsArray'),
	/** Every Nth request with a valid key fails with code 106, and nothing is done. */
	goodKeyRefusedEvery: some<number | undefined>(undefined, 2, 3, 5),
	/** The web interface answers requests that have neither a key nor `api`. */
	apiFlag: among('alwaysNeeded', 'notWithKey'),
	/** If true, an error response sets another cookie, too. */
	keyReadsOpenSession: among(true, false),
	/** Number of requests that a session serves before it expires. */
	sessionLifetimeRequests: some<number | undefined>(undefined, 1, 4),
	expiredSessionAnswer: among('code302', 'code301', 'status401'),
	cookieName: some<string>('JSESSIONID', 'SHEETSID'),

	errorTransport: among('status200', 'httpStatus'),
	errorCodeKey: among('code', 'errorCode'),
	/** Shape of the error when a write fails because of its parameters or values (codes 201, 202). */
	writeRefusal: among('statusAndCode', 'messageOnly'),
	/** A write that finds no such field, record or sheet answers `SUCCESS` with a `msg` that says so, and does nothing. */
	falseSuccess: among(false, true),

	/** Order of a list without `order`, and of records that `order` finds equal. `reverse` reverses it. */
	defaultOrder: among('newestFirst', 'oldestFirst'),
	/** `_seq`: always the position of the record in the answer, or with `info` a number of the record. */
	sequence: among('place', 'ownWithInfo'),
	/** `_metaData`, `_ragicAnnotation_` and `info` beside the records of a list or a single read. Seen in one account. */
	keysBesideRecords: among(false, true),
	/** The key `-1` beside the records of a list. */
	minusOneBesideRecords: among(false, true),
	/** System keys that reads of the vendor's mobile app contain: `_locked`, `_if_entry_manager` … */
	mobileKeys: among(false, true),
	/** Dates as returned: `2026/06/05`, or without leading zeros. */
	dateZeros: among('kept', 'leftOut'),
	/** System keys of rows: the ID and the positions, or the ID alone. */
	rowKeys: among('placesToo', 'idAlone'),
	emptySubtables: among('leftOut', 'shown'),
	/** `_count` among the rows of a subtable, although it is not a row. */
	rowCount: among('leftOut', 'shown'),
	/** Keys of unnamed fields when fields are keyed by name: `Untitled`, `Untitled2` … or `1`, `2` … */
	unnamedFields: among('untitled', 'numbered'),
	/** Key of unnamed fields, in the language of the account. */
	untitledWord: among('Untitled', '未命名', 'Sin título'),
	/** Keys of records when a request has no `naming`. */
	defaultNaming: among('FNAME', 'EID'),
	numbersAsText: among(true, false),
	singleChoiceAsText: among(false, true),
	leadingEmptyFile: among(true, false),
	/** `_index_`, `_index_calDates_` and `_dataTimestamp`. */
	extraReservedKeys: among(false, true),
	missingRecord: among('empty', 'code404', 'http404'),
	unknownReadParameter: among('ignored', 'code102'),
	/** `n8n` and `singleEntryMode`. */
	vendorParameters: among('known', 'unknown'),
	/** Parameters of two mobile apps and a portal: `mobile`, `fr`, `kr`, `approvalInfo`, and `comment` of a write. */
	appParameters: among('unknown', 'known'),
	listingSubtables: among('shown', 'leftOut'),
	subtableFilters: among('findRows', 'findNothing'),
	/** Whether filters and orders accept `_ragicModified` for the Last Update Date. */
	modifiedName: among('unknown', 'known'),
	/** Index lag: time for which filters miss a new record and still find a deleted one, by the service's clock. */
	filterLagMilliseconds: some<number>(0, 1000, 4000),
	/** Precision of stored times. With minutes, many records have the same Last Update Date. */
	storedTimes: among('seconds', 'minutes'),
	/** Filters and orders compare the Last Update Date as returned, or half a second later. */
	comparedTimes: among('asShown', 'finer'),

	/** Whether the answer to a write contains the saved record as `data`. */
	answerCarriesData: among(true, false),
	/** Answer to a create: `status` and the ID, only the record keyed by its new ID, or all records of the sheet. */
	createAnswer: among('status', 'recordById', 'wholeSheet'),
	/** Record ID in the answer to a write: under the dialect's key, the key used in records, or `_ragic_id`; or as a text. */
	answerId: among('ofTheDialect', 'asInRecords', 'underscored', 'asText'),
	/** Whether writes accept `naming`. */
	writeNaming: among('known', 'unknown'),
	/** Whether a form or a JSON body may contain parameters such as `api` or `doFormula`. */
	bodyParameters: among('known', 'unknown'),
	uniqueFields: among('everyWrite', 'doValidation'),
	/** An unknown choice is stored unless `doValidation` rejects it, always stored, or silently dropped. */
	unknownChoices: among('refusedByValidation', 'stored', 'dropped'),
	unknownPeople: among('stored', 'dropped'),
	/** A text that is not a date, in a date field: stored unless `doValidation` rejects it, or silently dropped. */
	wrongDates: among('stored', 'lost'),
	/** A text that is not a number, in a number field: stored unless `doValidation` rejects it, or blank with a `msg`. */
	wrongNumbers: among('stored', 'blank'),
	/** `warning` of every successful write. */
	writeWarning: some<string>('', 'The unit price is low.'),
	/** `msg` of every successful create and update. */
	writeMessage: some<string>('', '&nbsp;'),
	/** An unknown field makes the whole write fail (code 201), or is ignored. */
	unknownBodyField: among('refused', 'ignored'),
	unknownRows: among('refused', 'passedOver'),
	/** Deletions of rows beside changed rows are carried out, make the whole write fail (code 201), or are ignored. */
	deletionsWithRows: among('together', 'refused', 'passedOver'),
	/** New rows are stored in ascending order of their negative numbers, or in the order of the body. */
	newRowOrder: among('byNumber', 'bodyOrder'),
	/** Row IDs are unique in the whole sheet, or only in their subtable of one record. */
	rowNumbers: among('bySheet', 'bySubtable'),
	missingDelete: among('success', 'code404'),
	/** Answer to a deletion: with `status`, or only a message and the record ID. */
	deletionAnswer: among('status', 'messageOnly'),
	/** `msg` of a successful deletion. */
	deleteMessage: some<string>('', 'Moved to the recycle bin.'),

	/** `GET {sheet}/metadata/schema?api`; allowed for SYSAdmin only. */
	schema: discovery,
	/** `GET {sheet}?api&def` */
	definition: discovery,
	/** `GET /{account}?api` */
	menu: discovery,
	/** `GET /api/http/integromatForms.jsp?n8n` */
	picker: discovery,
	pickerList: among('object', 'array'),
	schemaChoices: among(false, true),
	/** `options: [{v}]` of a field in the definition. */
	definitionChoices: among(false, true),
	/** Contents of the menu: sheets only, or additionally reports, dashboards and the tab `/ragic-setup`. */
	menuContents: among('sheets', 'all'),
	/** `GET /{account}{tab}?api` returns the menu of one tab. */
	menuOfTab: among(false, true),
	/** Name of the account on a private host, in addresses and as the root key of the menu. */
	hostAccount: among('own', 'default'),
	/**
	 * Users sheets of the demo data, or additionally the address `default/ragic-setup/1` and the words `NORMAL` and
	 * `SUSPENDED`.
	 */
	usersSheet: among('neutral', 'deployed'),

	/** Answer to `?type=string`. */
	publicKeyForm: some<PublicKeyForm>('der', 'pem', 'json'),
	signatureForm: some<SignatureForm>('base64', 'base64url', 'hex'),
	bodySpelling: spellings,
	signedSpelling: spellings,
	/** Capital letters, a number and JSON; or small letters, the sheet number as a text, and `text/plain`. */
	deliveryForm: among('published', 'captured'),
	webhooksOfApiWrites: among(true, false),
	/** `/sims/webhookSubscribe.jsp`, `…Unsubscribe.jsp` and `/sims/webhooks.jsp` */
	subscriptions: discovery,
	/** `POST /sims/webhookSubscribe.jsp` as a form, without events. */
	subscriptionForm: among('refused', 'accepted'),
	/** A removal deletes all entries of the address, or only the entry with exactly these events. */
	unsubscribing: among('address', 'events'),
	/** Answer to the removal of a receiver that is not registered. */
	unregisteredRemoval: among('success', 'http404'),
	/** Events in the list of receivers: `CreateUpdateDelete`, another notation, or one entry per event. */
	subscriptionList: among('published', 'smallLetters', 'commas', 'otherOrder', 'entryForEach'),

	actionButtons: discovery,
	actionButtonList: among('object', 'array'),
	/** Whether the list of action buttons needs `category`. */
	buttonCategory: among('needed', 'optional'),
	/** `status` of a button that was carried out: `SUCCESS`, or `WARN` with a warning in `msg`. */
	buttonStatus: among('SUCCESS', 'WARN'),
	/** Record IDs of a mass operation: in the query only, or also as `recordIds` in the body. */
	massSelection: among('query', 'bodyToo'),
	massBodies: among('first', 'alternative', 'both'),
	taskAtAccount: discovery,
	taskAtSheet: discovery,
	taskShape: among('progress', 'counts', 'short'),
	taskWords: some<Words>(words, { ...words, done: 'DONE' }, { ...words, done: 'Over' }),
	unknownTask: among('code404', 'http404', 'empty'),
	/** Number of status requests after the end of a task until the task is forgotten. */
	looksUntilForgotten: some<number | undefined>(undefined, 1, 3),

	/** Whether a file is served without credentials (endpoint 5). */
	filesAreOpen: among(false, true),
	/** Files require a session, or a session in addition to a key. Reads with a key then set a cookie. */
	filesNeedSession: some<boolean | 'besideKey'>(false, true, 'besideKey'),
	missingFile: among('http404', 'blankImage', 'text'),
	documents: among('on', 'json', 'html', 'empty', 'http404'),
	/** `filename*`, `filename="…"`, the unencoded name, or no name (RFC 6266). */
	fileNameForm: among('encoded', 'quoted', 'rawUtf8', 'none'),
	fileTypes: among('exact', 'octetStream', 'none'),

	/** Maximum number of open GET requests of the account. */
	queueLength: some<number>(50),
	overloadAnswer: among('code204', 'status429', 'status503'),
	/** Delay before the service works on a request, in ms. */
	latencyMilliseconds: some<number>(0),
};

/** Current positions of the switches. Tests change them freely; `reset()` restores the defaults. */
export type Switches = { [Name in keyof typeof positions]: (typeof positions)[Name][number] };

/**
 * Switches whose default was captured from the deployed service and contradicts the specification or its plain reading. Their
 * second position follows the specification.
 */
export const captured: ReadonlySet<string> = new Set<keyof Switches>([
	...(['dialect', 'keyReadsOpenSession', 'defaultOrder', 'sequence', 'rowKeys'] as const),
	...(['emptySubtables', 'unnamedFields', 'writeNaming', 'bodyParameters', 'newRowOrder'] as const),
]);

/** If set to `specification`, the service follows the specification. */
const { SERVICE_SHAPES: shapes } = process.env;

/** Returns the positions after a start or a reset. */
export function defaultSwitches(): Switches {
	const all = Object.entries(positions).map(([name, [usual]]) => [name, structuredClone(usual)]);
	const specified = shapes === 'specification' ? specifiedPositions() : {};
	// Each value is a position of its switch.
	return { ...Object.fromEntries(all), ...specified } as Switches;
}

/** Returns the positions of the specification for all captured switches. */
export function specifiedPositions(): Partial<Switches> {
	const against = Object.entries(positions).filter(([name]) => captured.has(name));
	return Object.fromEntries(against.map(([name, [, specified]]) => [name, specified]));
}
