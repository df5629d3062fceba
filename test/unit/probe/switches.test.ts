import { notAsked, questions } from '../../probe/questions';
import { probe, type Row } from '../../probe/probe';
import { startReferenceService, type ReferenceService, type Switches } from '../../service';
import { defaultSwitches } from '../../service/switches';
import { addScratchSheet, openScratchSheet } from './scratchSheet';

type Positions = { [Name in keyof Switches]: ReadonlyArray<Switches[Name]> };

const discovery = ['on', 'code106', 'http404', 'html'] as const;
const usualWords = defaultSwitches().taskWords;

/** Every position that a switch with a few has, and some of those with many. None: it is not asked. */
const positions: Positions = {
	dialect: ['standard', 'ragic'],
	accountState: ['served', 'expired', 'withoutResources'],
	wrongKeyAnswer: ['status401', 'code106', 'code105', 'code304'],
	loginAnswer: ['plainText', 'accountsObject', 'accountsArray'],
	goodKeyRefusedEvery: [undefined, 2, 3, 5],
	apiFlag: ['alwaysNeeded', 'notWithKey'],
	keyReadsOpenSession: [false, true],
	sessionLifetimeRequests: [undefined, 1, 4],
	expiredSessionAnswer: ['code301', 'code302', 'status401'],
	cookieName: ['JSESSIONID', 'sid'],
	errorTransport: ['status200', 'httpStatus'],
	errorCodeKey: ['code', 'errorCode'],
	errorFormat: ['json', 'html'],
	writeRefusal: ['statusAndCode', 'messageOnly'],
	defaultNaming: ['FNAME', 'EID'],
	numbersAsText: [true, false],
	singleChoiceAsText: [false, true],
	leadingEmptyFile: [true, false],
	extraReservedKeys: [false, true],
	missingRecord: ['empty', 'code404', 'http404'],
	unknownReadParameter: ['ignored', 'code102'],
	vendorParameters: ['known', 'unknown'],
	listingSubtables: ['shown', 'leftOut'],
	subtableFilters: ['findRows', 'findNothing'],
	modifiedName: ['unknown', 'known'],
	maximumLimit: [undefined, 1, 3],
	filterLagMilliseconds: [0, 1000, 4000],
	storedTimes: ['seconds', 'minutes'],
	updateDateRenewedBy: ['edits', 'everyAction'],
	answerCarriesData: [true, false],
	uniqueFields: ['everyWrite', 'doValidation'],
	unknownChoices: ['refusedByValidation', 'stored', 'dropped'],
	unknownPeople: ['stored', 'dropped'],
	wrongDates: ['stored', 'lost'],
	writeWarning: ['', 'The unit price is low.'],
	unknownBodyField: ['refused', 'ignored'],
	unfinishedPosts: ['none', 'undone', 'done'],
	missingDelete: ['success', 'code404'],
	deleteMessage: ['', 'Moved to the recycle bin.'],
	schema: discovery,
	definition: discovery,
	menu: discovery,
	picker: discovery,
	pickerList: ['object', 'array'],
	publicKeyForm: ['der', 'pem', 'json'],
	signatureForm: [],
	bodySpelling: [],
	signedSpelling: [],
	webhooksOfApiWrites: [],
	subscriptions: discovery,
	unsubscribing: [],
	actionButtons: discovery,
	actionButtonList: ['object', 'array'],
	schemaChoices: [false, true],
	massBodies: ['first', 'alternative', 'both'],
	emptyOldValue: ['refused', 'fillsEmpty', 'ignored'],
	emptySelection: [],
	taskAtAccount: discovery,
	taskAtSheet: discovery,
	taskShape: ['progress', 'counts', 'short'],
	taskWords: [usualWords, { ...usualWords, done: 'DONE' }, { ...usualWords, done: 'Over' }],
	unknownTask: ['code404', 'http404', 'empty'],
	looksUntilForgotten: [undefined, 1, 3],
	usersSheet: ['neutral', 'deployed'],
	filesAreOpen: [false, true],
	filesNeedSession: [false, true, 'besideKey'],
	missingFile: ['http404', 'blankImage', 'text'],
	documents: ['on', 'json', 'html', 'empty', 'http404'],
	fileNameForm: ['encoded', 'quoted', 'rawUtf8', 'none'],
	fileTypes: ['exact', 'octetStream', 'none'],
	maximumRequestsPerSecond: [],
	queueLength: [],
	overloadAnswer: ['code204', 'status429', 'status503'],
	retryAfter: ['0', '7', undefined],
	latencyMilliseconds: [],
};

/** What else must hold for the point to be seen at all. */
const circumstances: Partial<Record<keyof Switches, Partial<Switches>>> = {
	overloadAnswer: { maximumRequestsPerSecond: 0 },
	retryAfter: { maximumRequestsPerSecond: 0, overloadAnswer: 'status429' },
};

const names = Object.keys(positions).filter(isName);

function isName(name: string): name is keyof Switches {
	return Object.hasOwn(positions, name);
}

const cases = names.flatMap((name) =>
	positions[name].map((position): [keyof Switches, unknown] => [name, position]),
);

let service: ReferenceService;

beforeAll(async () => {
	service = await startReferenceService({ demoRecords: 10 });
});

afterAll(async () => await service.close());

beforeEach(() => {
	service.reset();
	service.clock.set(Date.UTC(2026, 2, 4, 9, 30, 17));
});

async function ask(name: keyof Switches): Promise<Row[]> {
	const asked = questions.filter(({ about }) => about === name);
	return (await probe(openScratchSheet(service), asked)).rows;
}

/** Of the words for tasks, only how one ends well is surely seen. */
function asSeen(name: keyof Switches, standsFor: unknown): unknown {
	return name === 'taskWords' ? expect.objectContaining({ ...Object(standsFor) }) : standsFor;
}

describe('the probe', () => {
	it('asks about every switch once, or says why it does not', () => {
		const told = [...questions.map(({ about }) => about), ...Object.keys(notAsked)];
		expect([...told].sort()).toEqual(Object.keys(defaultSwitches()).sort());
		const without = names.filter((name) => positions[name].length === 0);
		expect(without.sort()).toEqual(Object.keys(notAsked).sort());
	});

	it.each(cases)('tells %s = %j', async (name, position) => {
		const sheet = addScratchSheet(service);
		const before = sheet.records.size;
		Object.assign(service.switches, circumstances[name], { [name]: position });
		const [row] = await ask(name);
		expect(row).toMatchObject({ about: name });
		expect(row).toHaveProperty('standsFor');
		expect(position).toEqual(row && 'standsFor' in row ? asSeen(name, row.standsFor) : undefined);
		expect(sheet.records.size).toBe(before);
	});
});
