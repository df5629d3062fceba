import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { Client } from '../service/client';
import { discoverFields } from '../service/discovery';
import type { FieldList } from '../wire/fieldLists';
import type { SheetAddress } from '../wire/sheetAddress';
import { authenticationParameter } from './authentication';
import { nodeError } from './nodeError';
import type { ParameterSource } from './parameter';
import { sheetParameter } from './sheet';

/** A client with the credential that is chosen in the editor. */
export async function connectForPickList(context: ILoadOptionsFunctions): Promise<Client> {
	const type = authenticationParameter.read({ item: sourceOf(context) });
	return await Client.connect(context, type);
}

/** The sheet that is chosen in the editor. */
export function chosenSheet(context: ILoadOptionsFunctions, client: Client): SheetAddress {
	return sheetParameter.read({ item: sourceOf(context), client });
}

/** The fields of the chosen sheet, or undefined when no source tells. */
export async function chosenFields(context: ILoadOptionsFunctions): Promise<FieldList | undefined> {
	const client = await connectForPickList(context);
	return await discoverFields(client, chosenSheet(context, client));
}

/** What `read` yields; what it throws as an error that the editor shows. */
export async function forEditor<T>(
	context: ILoadOptionsFunctions,
	read: () => Promise<T>,
): Promise<T> {
	return await read().catch((thrown: unknown) => {
		throw nodeError(context.getNode(), thrown, 0);
	});
}

function sourceOf(context: ILoadOptionsFunctions): ParameterSource {
	return { value: (name) => context.getCurrentNodeParameter(name) };
}
