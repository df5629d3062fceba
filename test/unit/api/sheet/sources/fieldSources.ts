import { clearProcessState } from '../../../../../nodes/api/http/processState';
import { SheetFields } from '../../../../../nodes/api/sheet/sheetFields';
import { FakeService, type FakeAnswer, type FakeRequest } from '../../http/fakeService';

export const sheet = { folders: ['sales'], sheetIndex: 1 };
export const minute = 60_000;

/** An answer to a user who may not use the source. It is not sent twice, unlike one with a code. */
export const refusal: FakeAnswer = { status: 403 };
/** A maintenance page, for example. */
export const webPage: FakeAnswer = { body: '<html></html>' };
export const noRecords: FakeAnswer = { body: {} };

export function schemaOf(...fields: object[]): FakeAnswer {
	return { body: { fields } };
}

/** Records with these values of a field, and nothing else. */
export function recordsWith(fieldId: string, values: readonly unknown[]): FakeAnswer {
	return {
		body: Object.fromEntries(values.map((value, at) => [String(at + 1), { [fieldId]: value }])),
	};
}

/** Monotonic time of the process. */
export const clock = { milliseconds: 0 };

/** Each test of the file begins in a new process, with a clock that only tests and waits move. */
export function beginAnew(): void {
	beforeEach(() => {
		clearProcessState();
		clock.milliseconds = 1_000;
		jest.spyOn(performance, 'now').mockImplementation(() => clock.milliseconds);
	});
	afterEach(() => jest.restoreAllMocks());
}

/** Waits in no time. A longer wait is the limit of how long an answer may take. */
export async function sleep(milliseconds: number): Promise<void> {
	if (milliseconds > minute) return await new Promise(() => {});
	await new Promise(setImmediate);
	clock.milliseconds += milliseconds;
}

/** Requests of the three sources of fields, of which the last one sends two, and the request for the newest records. */
export type Source = 'schema' | 'definition' | 'recordsById' | 'recordsByName' | 'newestRecords';

function sourceOf({ url: { pathname, searchParams } }: FakeRequest): Source {
	if (pathname.endsWith('/metadata/schema')) return 'schema';
	if (searchParams.has('def')) return 'definition';
	if (searchParams.has('order')) return 'newestRecords';
	return searchParams.get('naming') === 'FNAME' ? 'recordsByName' : 'recordsById';
}

type Answers = Partial<Record<Source, FakeAnswer | Error>>;

/** A service with these answers, which refuses everything else, and the runs of a user. */
export function useSources(answers: Answers = {}) {
	const service = new FakeService((request) => {
		const answer = answers[sourceOf(request)] ?? refusal;
		if (answer instanceof Error) throw answer;
		return answer;
	});
	const newRun = async (account = 'acme') => await service.connect({ account, sleep });
	return {
		answers,
		service,
		newRun,
		/** The schema of the sheet in a new run. */
		newFields: async () => new SheetFields(await newRun(), sheet),
		/** The sources that were asked since the last look. */
		asked: () => service.requests.splice(0).map(sourceOf),
	};
}
