import type { IWebhookFunctions } from 'n8n-workflow';
import { Client } from '../api/http/client';
import type { SheetAddress } from '../api/values/sheetAddress';
import { Refusal } from '../api/webhooks/delivery';
import { authenticationParameter } from '../ui/authentication';
import { sheetParameter } from '../ui/sheet';
import { readSettings, settingsOf, type TriggerSettings } from './triggerParameters';

/** The node that receives a delivery, as it is set up. */
export interface Receiver {
	context: IWebhookFunctions;
	client: Client;
	sheet: SheetAddress;
	settings: TriggerSettings;
}

/** Returns the receiver. Throws Refusal: what is wrong is said on activation; here, anybody may be asking. */
export async function connectReceiver(context: IWebhookFunctions): Promise<Receiver> {
	const { item } = settingsOf(context);
	const connect = async () => {
		const client = await Client.connect(context, authenticationParameter.read({ item }));
		const sheet = sheetParameter.read({ item, client });
		return { context, client, sheet, settings: readSettings(context) };
	};
	return await connect().catch((cause: unknown) => {
		const reason = "The node's credential, sheet or settings are not set up";
		throw new Refusal(503, reason, { cause });
	});
}
