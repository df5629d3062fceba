import type { Point } from './question';

/** The open points that are not asked, each with the reason. */
export const notAsked: Partial<Record<Point, string>> = {
	emptySelection: 'a mass operation without a selection could change every record of the sheet',
	maximumRequestsPerSecond: 'to find the limit is to overload the service',
	queueLength: 'to find the limit is to overload the service',
	latencyMilliseconds: 'no reading hangs on it; the slowest answer is told above',
	signatureForm: 'a delivery needs an address that the service can reach',
	bodySpelling: 'a delivery needs an address that the service can reach',
	signedSpelling: 'a delivery needs an address that the service can reach',
	webhooksOfApiWrites: 'a delivery needs an address that the service can reach',
	unsubscribing: 'it would change the receivers of the sheet, which are no records of the probe',
};
