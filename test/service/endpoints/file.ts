import { rightOn, type ServiceState } from '../call';
import type { Sheet } from '../data/sheet';
import { fileAnswer, textAnswer, type Answer } from '../http/answer';
import type { Proof } from '../http/authentication';
import type { Query } from '../http/query';
import { refusal, ServiceError } from '../http/serviceError';

const blankImage = Buffer.from(
	'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
	'base64',
);

/** Returns a stored file (endpoint 5) if the caller may read a sheet that contains it, or if no sheet contains it. */
export function downloadFile(query: Query, proof: Proof | undefined, state: ServiceState): Answer {
	const account = query.first('a') ?? '';
	if (account !== state.account) {
		throw new ServiceError('invalidAccount', `Invalid account name: ${account}`);
	}
	if (proof && lacksSession(proof, state)) throw refusal('code105');
	const file = state.data.files.get(query.first('f') ?? '');
	if (!file) return missingFile(state);
	const holders = state.data.sheetsHolding(file.value);
	const mayRead = (sheet: Sheet) => !proof || rightOn(sheet, proof.identity) !== 'none';
	if (holders.length > 0 && !holders.some(mayRead)) throw new ServiceError('noAccessRight');
	return fileAnswer(file, state.switches);
}

function lacksSession({ session, byApiKey }: Proof, { switches }: ServiceState): boolean {
	if (switches.filesNeedSession === false) return false;
	return session === undefined || (switches.filesNeedSession === 'besideKey' && !byApiKey);
}

function missingFile({ switches }: ServiceState): Answer {
	if (switches.missingFile === 'http404') throw refusal('http404');
	if (switches.missingFile === 'text') return textAnswer('File not found.');
	return { status: 200, headers: { 'content-type': 'image/gif' }, body: blankImage };
}
