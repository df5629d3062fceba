import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { Client } from '../api/http/client';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { FieldList } from '../api/schema/fieldLists';
import { Schema } from '../api/schema/schema';
import { idInKey } from '../api/schema/fields';
import { authenticationParameter } from './authentication';
import { nodeError } from './nodeError';
import type { ParameterSource } from './parameter';
import { locatorText, sheetParameter, sheetProperty } from './sheet';

/** A client with the credential that is chosen in the editor. */
export async function connectForPickList(context: ILoadOptionsFunctions): Promise<Client> {
	const type = authenticationParameter.parse(sourceOf(context));
	return await Client.connect(context, type);
}

/** The sheet that is chosen in the editor, and the way to it. */
export interface ChosenSheet {
	client: Client;
	sheet: SheetAddress;
	schema: Schema;
}

/**
 * What `read` yields of the sheet that is chosen in the editor. Before one is chosen nothing is wrong, and
 * nothing is asked for.
 *
 * @param beforeChoice what is shown then
 */
export async function ofChosenSheet<T>(
	context: ILoadOptionsFunctions,
	beforeChoice: T,
	read: (chosen: ChosenSheet) => Promise<T>,
): Promise<T> {
	const source = sourceOf(context);
	if (locatorText(source.value(sheetProperty.name)) === '') return beforeChoice;
	return await forEditor(context, async () => {
		const client = await connectForPickList(context);
		const sheet = sheetParameter.parse({ ...source, client });
		return await read({ client, sheet, schema: new Schema(client, sheet) });
	});
}

/** The id of the subtable that is chosen in the editor, by whatever it is called there; empty before one is. */
export function chosenSubtable(
	context: ILoadOptionsFunctions,
	list: FieldList | undefined,
): string {
	const key = String(context.getCurrentNodeParameter('subtableId') ?? '');
	const named = list?.subtables.find(({ name }) => name === key);
	return named?.subtableId ?? idInKey(key) ?? key;
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
