import type { ReferenceService } from '../service';
import { print, refused } from './display';

/** A statement about the run, and the differences from it. */
export interface Claim {
	claim: string;
	differences: string[];
}

type Comparison = [what: string, found: unknown, expected: unknown];

export function claim(text: string, ...comparisons: Comparison[]): Claim {
	const differences = comparisons.flatMap(([what, found, expected]) => {
		const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
		return foundText === expectedText ? [] : [`${what}: ${foundText}, not ${expectedText}`];
	});
	return { claim: text, differences };
}

export function claimOfRequests({ requests }: ReferenceService): Claim {
	const seen = requests.all();
	return claim(
		`All ${seen.length} requests were answered with 200, one at a time`,
		['others', seen.filter(({ status }) => status !== 200).map(({ rawUrl }) => rawUrl), []],
		['most at once', Math.max(...seen.map((request) => request.inFlightAtStart)) + 1, 1],
	);
}

/** Claims that the recorded texts contain no API key, neither plain (as in a header) nor URL-encoded. */
export function claimOfSecrets(recorded: string, { identities }: ReferenceService): Claim {
	const { apiKey } = identities.admin;
	return claim('Nothing that n8n stored, showed or logged holds the API key', [
		'found',
		[apiKey, encodeURIComponent(apiKey)].some((form) => recorded.includes(form)),
		false,
	]);
}

/** Prints the claims. Returns the exit code: 1 if a claim is false. */
export function reportClaims(all: Claim[]): number {
	for (const { claim: text, differences } of all) {
		print(`${differences.length === 0 ? 'yes' : refused('NO ')}  ${text}`);
		for (const difference of differences) print(`       ${difference}`);
	}
	print();
	const failures = all.filter(({ differences }) => differences.length > 0).length;
	if (failures === 0) return 0;
	print(refused(`${failures} of these statements do not hold.`));
	return 1;
}
