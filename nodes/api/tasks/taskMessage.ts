/** A number, with or without commas between thousands. */
const number = String.raw`(\d[\d,]*)`;
/** A noun for records, with at most one adjective before it. */
const records = String.raw`(?:[a-z]+\s+)?(?:records?|rows?|entry|entries|items?)\b`;

/** Words for "no failures": "no record failed", "0 of 10 failed", "failed: 0", "without errors". */
const negations = [
	/\b(?:no|none|nothing|zero|0(?:\s+(?:out\s+)?of\s+\d+)?|without)(?:\s+[a-z]+){0,3}?\s+(?:fail\w*|errors?)\b/gi,
	/(?:\b(?:not|never)|n't)\s+fail\w*/gi,
	/\b(?:fail\w*|errors?)(?:\s+records?)?\s*[:=]?\s*(?:0|no|none)\b/gi,
];

/** IDs of records: "Record 13", "Records 13, 14 and 15". The second group is the rest of the sentence. */
const listedIds = /\brecords?:?\s+((?:#?\d+(?:\s*,\s*|\s+and\s+|\s*))+)(.*)/is;

const failureWords = new RegExp(
	String.raw`\bfail|\berrors?\b|\bcould(?:\s+not|n't)\b|\bcannot\b|\bunable\b|${records}\s+(?:[a-z]+\s+)?not\b`,
	'i',
);
/** Words for a failure even if the clause does not mention records. */
const strongFailureWords = /\bfail(?:ed|ures?)\b|\berrors?\b/i;

/** Patterns for the number of failed records in a clause with failure words, most certain first. */
const failureCounts = [
	// "2 failed", "with 2 errors", "but 2 could not be updated"
	new RegExp(
		String.raw`(?:^|[:(]|\b(?:with|and|but)\b)\s*${number}\s+(?:fail(?:ed|ures?)?|errors?|cannot|could(?:\s+not|n't))\b`,
		'i',
	),
	// "2 of 10 failed"
	new RegExp(
		String.raw`\b${number}\s+(?:of|out of)\s+\d[\d,]*\s+(?:${records}\s+)?(?:have\s+)?failed`,
		'i',
	),
	// "failed: 2", "fail=2", "failures 2"
	new RegExp(String.raw`\bfail(?:ed|ures?)?\s*(?:[:=]\s*${number}|\s${number}\s*$)`, 'i'),
	// "2 records failed", "could not update 3 records"
	new RegExp(String.raw`\b${number}\s+(?:(?:of|out of)\s+\d[\d,]*\s+)?${records}`, 'i'),
];

/**
 * Returns the minimum number of failed records that the message of a task reports. Failures without a number count as one.
 * Messages are free text (specification, "Task").
 */
export function failuresIn(message: string): number {
	const ids = new Set<string>();
	const counts = [0];
	for (const sentence of message.split(/[;\n]|\.(?:\s|$)/)) {
		const [, list, rest = ''] = listedIds.exec(sentence) ?? [];
		if (list === undefined) counts.push(...clausesOf(sentence).map(failuresInClause));
		else if (isFailure(sentence, rest)) for (const id of list.match(/\d+/g) ?? []) ids.add(id);
	}
	return Math.max(ids.size, ...counts);
}

/** Returns whether a sentence reports a failure of records. `rest` is the text after their IDs. */
function isFailure(sentence: string, rest: string): boolean {
	if (/^:\s*(?:ok|success|updated)\W*$/i.test(rest)) return false;
	const words = withoutNegations(sentence);
	return rest.startsWith(':') || /fail|error|could|cannot|\bnot\b/i.test(words);
}

/** Splits a sentence at ` / ` and at commas before white space, not at those between thousands. */
function clausesOf(sentence: string): string[] {
	return sentence.split(/,\s+|\s\/\s/);
}

/**
 * Returns the number of failed records in a clause. Without a number, failure words count as one if the clause mentions records
 * or has a strong failure word, otherwise as none.
 */
function failuresInClause(clause: string): number {
	const words = withoutNegations(clause);
	if (!failureWords.test(words)) return 0;
	for (const form of failureCounts) {
		const count = form
			.exec(words)
			?.slice(1)
			.find((text) => text !== undefined);
		if (count !== undefined) return Number(count.replace(/,/g, ''));
	}
	const namesRecords = new RegExp(records, 'i').test(words);
	return namesRecords || strongFailureWords.test(words) ? 1 : 0;
}

function withoutNegations(text: string): string {
	return negations.reduce((words, negation) => words.replace(negation, ''), text);
}
