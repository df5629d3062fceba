/**
 * Expected result of a request after a single fault or a lasting one:
 *
 * - `repeated`: it is repeated, up to 5 attempts, or 8 if it is rejected as too frequent. Then it fails, and nothing was changed.
 * - `renewed`: it is repeated once with a new session. Then it fails, and nothing was changed.
 * - `uncertain`: it is not repeated, and the error says that the change may have been made.
 * - `refused`: it is not repeated, and the error says that nothing was changed.
 * - `accepted`: nothing happens, and the answer is accepted.
 * - `otherSource`: another source is requested instead.
 * - `polledOn`: the status request is repeated until the time limit. Then the error names the task, which continues.
 * - `namesTask`: the error names the task, which continues, at once.
 * - `—`: the request cannot have this fault.
 */
export type Outcome =
	| 'repeated'
	| 'renewed'
	| 'uncertain'
	| 'refused'
	| 'accepted'
	| 'otherSource'
	| 'polledOn'
	| 'namesTask'
	| '—';

/** Kinds of requests that are handled the same way. */
export type RequestKind =
	/** Reads data. Sending it repeatedly changes nothing. */
	| 'reads'
	/** Reads a file or document. */
	| 'downloads'
	/** Reads the fields of a sheet from one of several sources. */
	| 'looksUpFields'
	/** Makes a change, which must not be carried out twice. */
	| 'changes'
	/** Reads the progress of a task. */
	| 'polls';

/** Row of the table: a fault, and the outcome for each kind of request. */
export interface Row extends Record<RequestKind, Outcome> {
	fault: string;
	/** Whether the service carries out a request that the fault strikes. */
	work: 'done' | 'undone';
	says: RegExp;
}

type Line = [
	fault: string,
	work: 'done' | 'undone',
	reads: Outcome,
	downloads: Outcome,
	looksUpFields: Outcome,
	changes: Outcome,
	polls: Outcome,
	says: RegExp,
];

const broken = /broke off before/;
const silent = /sent nothing for 120 seconds/;
const busy = /HTTP 500/;
const inTime = /did not answer in time/;
const unavailable = /not available at the moment/;
const tooMany = /too many requests/;
const tooFrequent = /frequency too high/;
const webPage = /web page|something else instead|an error page instead/;
const otherHost = /sends this request on to another host/;

/* prettier-ignore */
const lines: Line[] = [
	// fault                                work      reads         downloads     looks up       changes       polls          the error says
	['connection refused',                   'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   /cannot be reached/],
	['reset before the request was read',    'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   broken],
	['reset after the request was read',     'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   broken],
	['reset after the work',                 'done',   'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   broken],
	['answer cut in the middle',             'done',   'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   broken],
	// Half a file cannot be distinguished from a complete one.
	['half an answer as if it were whole',   'done',   'repeated',   '—',          'otherSource', 'uncertain',  'polledOn',   /incomplete or no JSON/],
	['HTTP 408',                             'undone', 'repeated',   'repeated',   'otherSource', 'uncertain',  'polledOn',   /gave up waiting/],
	['HTTP 429 with Retry-After',            'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   tooMany],
	['HTTP 429 without Retry-After',         'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   tooMany],
	['HTTP 429 by a clock that is ahead',    'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   tooMany],
	['HTTP 429 by a clock that is behind',   'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   tooMany],
	['HTTP 500',                             'undone', 'repeated',   'repeated',   'otherSource', 'uncertain',  'polledOn',   busy],
	['HTTP 502',                             'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   /no proper answer/],
	['HTTP 503',                             'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   unavailable],
	['HTTP 504',                             'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   inTime],
	['HTTP 504 after the work',              'done',   'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   inTime],
	['code 203',                             'undone', '—',          '—',          '—',           'uncertain',  '—',          /POST request did not finish/],
	['code 203 after the work',              'done',   '—',          '—',          '—',           'uncertain',  '—',          /POST request did not finish/],
	['code 204',                             'undone', 'repeated',   'repeated',   'repeated',    'repeated',   'polledOn',   tooFrequent],
	// Only GET requests are queued.
	['queue full, code 204',                 'undone', 'repeated',   'repeated',   'repeated',    'accepted',   'polledOn',   tooFrequent],
	['queue full, HTTP 429',                 'undone', 'repeated',   'repeated',   'repeated',    'accepted',   'polledOn',   tooMany],
	['queue full, HTTP 503',                 'undone', 'repeated',   'repeated',   'repeated',    'accepted',   'polledOn',   unavailable],
	['slow answer',                          'done',   'accepted',   'accepted',   'accepted',    'accepted',   'accepted',   /nothing/],
	['hanging answer',                       'undone', 'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   silent],
	['answer that stops in the middle',      'done',   'repeated',   'repeated',   'repeated',    'uncertain',  'polledOn',   silent],
	['redirect to another host (302)',       'undone', 'refused',    'refused',    'otherSource', 'uncertain',  'namesTask',  otherHost],
	['redirect to another host (307)',       'undone', 'refused',    'refused',    'otherSource', 'refused',    'namesTask',  otherHost],
	['web page instead of data',             'undone', 'refused',    'refused',    'otherSource', 'uncertain',  'polledOn',   webPage],
	['web page after the work',              'done',   'refused',    'refused',    'otherSource', 'uncertain',  'polledOn',   webPage],
	['session ended, code 301',              'undone', 'renewed',    'renewed',    'renewed',     'renewed',    'renewed',    /session has timed out/],
	['session ended, code 302',              'undone', 'renewed',    'renewed',    'renewed',     'renewed',    'renewed',    /session has expired/],
	['session ended, HTTP 401',              'undone', 'renewed',    'renewed',    'renewed',     'renewed',    'renewed',    /did not accept the credential/],
];

export const table: readonly Row[] = lines.map(
	([fault, work, reads, downloads, looksUpFields, changes, polls, says]) => ({
		fault,
		work,
		reads,
		downloads,
		looksUpFields,
		changes,
		polls,
		says,
	}),
);
