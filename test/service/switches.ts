import type { TaskState } from './massOperations/backgroundTask';
import type { SeenRequest } from './requestLog';
import type { JsonSpelling, PublicKeyForm, SignatureForm } from './webhooks/signingKey';

/** Whether a way of discovering sheets and fields answers, or how it refuses. */
export type DiscoverySwitch = 'on' | 'code106' | 'http404' | 'html';

type Latency = number | ((request: SeenRequest) => number | Promise<number>);
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
 * How the service behaves where the specification leaves it open: the positions of each switch, the default first;
 * of `some` there are others. What each is about stands in the table of the README.
 */
export const positions = {
	dialect: among('ragic', 'standard'),

	/** A wrongly *encoded* key is a guest: code 106. */
	wrongKeyAnswer: among('status401', 'code106', 'code105', 'code304'),
	/** With `json=1` (endpoint 14); without it always the plain session id. */
	loginAnswer: among('accountsObject', 'plainText', 'accountsArray'),
	/** Every so many requests with a good key one gets code 106, and nothing is done. */
	goodKeyRefusedEvery: some<number | undefined>(undefined, 2, 3, 5),
	/** Without key and mark the interface for people answers. */
	apiFlag: among('alwaysNeeded', 'notWithKey'),
	/** A refusal then sets another cookie. */
	keyReadsOpenSession: among(true, false),
	/** How many requests a session serves before it expires. */
	sessionLifetimeRequests: some<number | undefined>(undefined, 1, 4),
	expiredSessionAnswer: among('code302', 'code301', 'status401'),
	cookieName: some<string>('JSESSIONID', 'SHEETSID'),

	errorTransport: among('status200', 'httpStatus'),
	errorCodeKey: among('code', 'errorCode'),
	/** Of a write that is refused for what it says (codes 201, 202). */
	writeRefusal: among('statusAndCode', 'messageOnly'),

	/** Of a list without `order`, and between records that `order` finds equal; `reverse` turns it around. */
	defaultOrder: among('newestFirst', 'oldestFirst'),
	/** `_seq`: a number of the record's own with `info`, or always the place of the record in the answer. */
	sequence: among('place', 'ownWithInfo'),
	/** `_metaData`, `_ragicAnnotation_` and `info` beside the records of a list or a single read: seen in one account. */
	keysBesideRecords: among(false, true),
	/** What rows carry beside their id. */
	rowKeys: among('placesToo', 'idAlone'),
	emptySubtables: among('leftOut', 'shown'),
	/** `_count` among the rows of a subtable, which is no row. */
	rowCount: among('leftOut', 'shown'),
	/** The keys by name of fields that have none: `1`, `2` … or `Untitled`, `Untitled2` … */
	unnamedFields: among('untitled', 'numbered'),
	/** The word for them, in the language of the account. */
	untitledWord: among('Untitled', '未命名', 'Sin título'),
	/** The keys of records when a request says no `naming`. */
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
	listingSubtables: among('shown', 'leftOut'),
	subtableFilters: among('findRows', 'findNothing'),
	/** Whether filters and orders know the Last Update Date as `_ragicModified`. */
	modifiedName: among('unknown', 'known'),
	/** For how long a record just written is not found by a filter, by the service's clock. */
	filterLagMilliseconds: some<number>(0, 1000, 4000),
	/** Times cut to the minute give many records the same Last Update Date. */
	storedTimes: among('seconds', 'minutes'),
	/** Filters and orders compare the Last Update Date as it is shown, or with half a second more. */
	comparedTimes: among('asShown', 'finer'),

	/** The saved record as `data`. */
	answerCarriesData: among(true, false),
	/** With `status` and the ID, or only the record keyed by its new ID. */
	createAnswer: among('status', 'recordById'),
	/** The key of the record's id in the answer to a write: of the dialect, or as in a record. */
	answerId: among('ofTheDialect', 'asInRecords'),
	/** `naming` on a write. */
	writeNaming: among('known', 'unknown'),
	/** Parameters of a write, such as `api` or `doFormula`, in a form or a JSON body. */
	bodyParameters: among('known', 'unknown'),
	uniqueFields: among('everyWrite', 'doValidation'),
	/** Stored unless `doValidation` refuses it, stored whatever is asked, or dropped without a word. */
	unknownChoices: among('refusedByValidation', 'stored', 'dropped'),
	unknownPeople: among('stored', 'dropped'),
	/** A text in a field for dates that is none, unless `doValidation` refuses it. */
	wrongDates: among('stored', 'lost'),
	/** The `warning` of every successful write. */
	writeWarning: some<string>('', 'The unit price is low.'),
	/** The `msg` of every successful create and update. */
	writeMessage: some<string>('', '&nbsp;'),
	/** The whole write is refused (code 201), or the field is passed over. */
	unknownBodyField: among('refused', 'ignored'),
	unknownRows: among('refused', 'passedOver'),
	/** Carried out in the same request, the whole write refused (code 201), or passed over. */
	deletionsWithRows: among('together', 'refused', 'passedOver'),
	/** Numbered over the whole sheet, or over their subtable of their record. */
	rowNumbers: among('bySheet', 'bySubtable'),
	missingDelete: among('success', 'code404'),
	/** With `status`, or with a message and the record's id alone. */
	deletionAnswer: among('status', 'messageOnly'),
	/** The `msg` of a successful deletion. */
	deleteMessage: some<string>('', 'Moved to the recycle bin.'),

	/** `GET {sheet}/metadata/schema?api`; refused to everyone but SYSAdmin. */
	schema: discovery,
	/** `GET {sheet}?api&def` */
	definition: discovery,
	/** `GET /{account}?api` */
	menu: discovery,
	/** `GET /api/http/integromatForms.jsp?n8n` */
	picker: discovery,
	pickerList: among('object', 'array'),
	schemaChoices: among(false, true),
	/** As in the demo data, or at `default/ragic-setup/1` as well with `NORMAL` and `SUSPENDED`. */
	usersSheet: among('neutral', 'deployed'),

	/** What `?type=string` answers. */
	publicKeyForm: some<PublicKeyForm>('der', 'pem', 'json'),
	signatureForm: some<SignatureForm>('base64', 'base64url', 'hex'),
	bodySpelling: spellings,
	signedSpelling: spellings,
	/** Capital letters, a number and JSON; or small letters, the sheet's number as a text, and `text/plain`. */
	deliveryForm: among('published', 'captured'),
	webhooksOfApiWrites: among(true, false),
	/** `/sims/webhookSubscribe.jsp`, `…Unsubscribe.jsp` and `/sims/webhooks.jsp` */
	subscriptions: discovery,
	/** A removal takes out each entry of the address, or the one with just these events. */
	unsubscribing: among('address', 'events'),
	/** How the list of receivers names events: `CreateUpdateDelete`, or in another form; or an entry for each event. */
	subscriptionList: among('published', 'smallLetters', 'commas', 'otherOrder', 'entryForEach'),

	actionButtons: discovery,
	actionButtonList: among('object', 'array'),
	massBodies: among('first', 'alternative', 'both'),
	taskAtAccount: discovery,
	taskAtSheet: discovery,
	taskShape: among('progress', 'counts', 'short'),
	taskWords: some<Words>(words, { ...words, done: 'DONE' }, { ...words, done: 'Over' }),
	unknownTask: among('code404', 'http404', 'empty'),
	/** After how many looks at its end a task is forgotten. */
	looksUntilForgotten: some<number | undefined>(undefined, 1, 3),

	/** To whoever knows the stored value of a file (endpoint 5). */
	filesAreOpen: among(false, true),
	/** To a session alone, or to a session beside a key; reads with a key then set a cookie. */
	filesNeedSession: some<boolean | 'besideKey'>(false, true, 'besideKey'),
	missingFile: among('http404', 'blankImage', 'text'),
	documents: among('on', 'json', 'html', 'empty', 'http404'),
	/** `filename*`, `filename="…"`, the same unencoded, or not (RFC 6266). */
	fileNameForm: among('encoded', 'quoted', 'rawUtf8', 'none'),
	fileTypes: among('exact', 'octetStream', 'none'),

	/** How many GET requests of the account may be open at once. */
	queueLength: some<number>(50),
	overloadAnswer: among('code204', 'status429', 'status503'),
	/** What a request waits before it is worked on; a function that is slow to say so holds it back. */
	latencyMilliseconds: some<Latency>(0),
};

/** Where the switches stand: a test changes them freely, and `reset()` puts them back. */
export type Switches = { [Name in keyof typeof positions]: (typeof positions)[Name][number] };

/** Defaults that were captured of the deployed service, against the specification; their second position is the specification's. */
export const captured: ReadonlySet<string> = new Set<keyof Switches>([
	...(['dialect', 'keyReadsOpenSession', 'defaultOrder', 'sequence', 'rowKeys'] as const),
	...(['emptySubtables', 'unnamedFields', 'writeNaming', 'bodyParameters'] as const),
]);

/** With it in the environment the service keeps to the specification. */
const { SERVICE_SHAPES: shapes } = process.env;

/** The switches as they stand after a start or a reset. */
export function defaultSwitches(): Switches {
	const all = Object.entries(positions).map(([name, [usual]]) => [name, structuredClone(usual)]);
	const specified = shapes === 'specification' ? specifiedPositions() : {};
	// Each of them is a position of its switch.
	return { ...Object.fromEntries(all), ...specified } as Switches;
}

/** What the specification says where the deployed service was seen to do otherwise. */
export function specifiedPositions(): Partial<Switches> {
	const against = Object.entries(positions).filter(([name]) => captured.has(name));
	return Object.fromEntries(against.map(([name, [, specified]]) => [name, specified]));
}
