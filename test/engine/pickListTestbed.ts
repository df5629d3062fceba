import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../service';
import { RecordTestbed, sheet } from './recordTestbed';
import { loadOptionsOf, type LoadOptionsOptions } from './runner';
import type { CredentialsByType } from './runner/nodeUnderTest';
import { secretsFoundIn } from './secrets';

export interface Question {
	kind?: LoadOptionsOptions['method']['kind'];
	name: string;
	identity?: IdentityName;
	parameters?: INodeParameters;
	credentials?: CredentialsByType;
	filter?: string;
	path?: string;
	paginationToken?: string;
}

/** Testbed for pick lists. */
export class PickListTestbed extends RecordTestbed {
	/** Returns the answer of a pick list of the action node, by default for the orders. */
	async ask({
		kind = 'loadOptions',
		name,
		identity,
		credentials,
		parameters,
		...overrides
	}: Question) {
		const answer = await loadOptionsOf({
			node: 'sheetRecords',
			parameters: { resource: 'record', sheet: sheet(orders), ...parameters },
			credentials: credentials ?? this.credentials(identity),
			method: { kind, name },
			...overrides,
		});
		expect(secretsFoundIn(JSON.stringify(answer), this.service)).toEqual([]);
		return answer;
	}

	/** Returns the message and the description of a pick list that cannot be shown. */
	async refusalOf(question: Question): Promise<string> {
		const error: unknown = await this.ask(question).then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		if (!(error instanceof Error)) throw new Error('The pick list was shown');
		const description = 'description' in error ? String(error.description) : '';
		const stored = JSON.stringify({ ...error, message: error.message, stack: error.stack });
		expect(secretsFoundIn(stored, this.service)).toEqual([]);
		return `${error.message} ${description}`;
	}

	/** Returns the requests so far, in short form. */
	get asked(): string[] {
		return this.reads.map(({ rawUrl }) => {
			if (rawUrl.includes('/metadata/schema')) return 'schema';
			if (/[?&]def\b/.test(rawUrl)) return 'definition';
			return /naming=(\w+)/.exec(rawUrl)?.[1] ?? 'menu';
		});
	}
}

/** Starts a service for each test, because the node caches the fields of a sheet. */
export function usePickListTestbed(): PickListTestbed {
	const testbed = new PickListTestbed();
	beforeEach(async () => await testbed.start());
	afterEach(async () => await testbed.stop());
	return testbed;
}
