import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { IdentityName, ReferenceService } from '../../service';
import { readingOperations } from '../faults/readingOperations';
import { changingOperations } from '../faults/changingOperations';
import type { OperationCase } from '../faults/operation';
import { operationsInSteps } from '../faults/operationsInSteps';
import { recordId, sheet, sheetAt } from '../recordTestbed';

/** A mistake of a user, and what its error must contain. */
export interface Mistake {
	/** Resource and operation, such as `record.get`. */
	operation: string;
	mistake: string;
	parameters: INodeParameters;
	items?: OperationCase['items'];
	identity?: IdentityName;
	/** Changes to the credential. */
	credential?: INodeParameters;
	/** Set if the run uses e-mail and password instead of a key. */
	isSession?: boolean;
	prepare?: (service: ReferenceService) => void;
	/** Names the parameter or field as the panel calls it, in the message or its description. */
	names: RegExp;
	/** Reports the value or state that caused the error. */
	says: RegExp;
}

/** The first case of each operation, which works without a mistake. */
const workingCases = new Map<string, OperationCase>();
for (const operation of [...readingOperations, ...changingOperations, ...operationsInSteps]) {
	if (!workingCases.has(operation.operation)) workingCases.set(operation.operation, operation);
}

/** A mistake that is possible in several operations: the changes to the parameters of a working case. */
type CommonMistake = Omit<Mistake, 'operation' | 'parameters'> & {
	/** Parameters that the operation must have. */
	needs: string[];
	/** Operation in which the service accepts the mistake. */
	except?: string;
	overrides?: INodeParameters;
};

const missingSheet = { ...sheet({ path: 'sales/orders', index: 99 }) };

const commonMistakes: CommonMistake[] = [
	{
		mistake: 'a key that the service does not know',
		needs: [],
		credential: { apiKey: 'bm90LWEta2V5' },
		names: /'API Key'/,
		says: /Copy the complete API key again/,
	},
	{
		mistake: 'a password that is wrong',
		needs: [],
		isSession: true,
		credential: { password: 'wrong' },
		names: /password in the credential/,
		says: /did not accept/,
	},
	{
		mistake: 'an account that does not exist',
		needs: ['sheet'],
		credential: { account: 'acmee' },
		names: /'Account'|address belongs to/,
		says: /Invalid account name|account/,
	},
	{
		mistake: 'no sheet',
		needs: ['sheet'],
		overrides: { sheet: sheetAt('={{ $json.nothing }}') },
		names: /'Sheet'/,
		says: /is empty/,
	},
	{
		mistake: 'a sheet that is no path',
		needs: ['sheet'],
		overrides: { sheet: sheetAt('orders') },
		names: /in 'Sheet' is not a sheet path/,
		says: /'orders'/,
	},
	{
		mistake: 'a sheet that is gone',
		needs: ['sheet'],
		overrides: { sheet: missingSheet },
		names: /sheet/,
		says: /no sheet 99 in the folder 'sales\/orders'/,
	},
	{
		mistake: 'a sheet from an expression that returns a list',
		needs: ['sheet'],
		overrides: { sheet: sheetAt('={{ ["sales/orders/1"] }}') },
		names: /'Sheet'/,
		says: /the expression returned a list/,
	},
	{
		mistake: 'no record',
		needs: ['recordId'],
		overrides: { recordId: recordId('={{ $json.nothing }}') },
		names: /'Record'/,
		says: /is empty.*what it returns for this item.*whole number/,
	},
	{
		mistake: 'a record that is no ID',
		needs: ['recordId'],
		overrides: { recordId: recordId('SO-00011') },
		names: /in 'Record' is not a record ID/,
		says: /'SO-00011'/,
	},
	{
		mistake: 'a record that is gone',
		needs: ['recordId'],
		overrides: { recordId: recordId(99_999) },
		except: 'record.delete',
		names: /record/i,
		says: /99999/,
	},
	{
		mistake: 'a record from an expression that returns an object',
		needs: ['recordId'],
		overrides: { recordId: recordId('={{ { id: 5 } }}') },
		names: /'Record'/,
		says: /the expression returned an object/,
	},
	{
		mistake: 'a user without rights',
		needs: ['sheet'],
		identity: 'outsider',
		names: /user|administrator/i,
		says: /permission|access right|does not return|no access/i,
	},
];

/** Returns a common mistake in each operation in which it can be made. */
export function commonMistakesIn(operation: OperationCase): Mistake[] {
	const { parameters, items, prepare } = operation;
	return commonMistakes
		.filter(
			({ needs, except }) =>
				needs.every((name) => name in parameters) && except !== operation.operation,
		)
		.map(({ overrides, ...mistake }) => ({
			...mistake,
			operation: operation.operation,
			parameters: { ...parameters, ...overrides },
			items,
			prepare: mistake.prepare ?? prepare,
		}));
}

export const allCommonMistakes = [...workingCases.values()].flatMap(commonMistakesIn);

/** Returns the input items of a mistake. */
export async function itemsOf(
	{ items }: Mistake,
	service: ReferenceService,
): Promise<INodeExecutionData[]> {
	return (await items?.(service)) ?? [{ json: {} }];
}
