import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { SheetAddress } from '../api/values/sheetAddress';
import { Refusal } from '../api/webhooks/delivery';
import type { SheetContext } from '../ui/parameter';
import { connectTrigger } from '../ui/trigger';
import { readSettings, type TriggerSettings } from './triggerParameters';

/** How the node is set up. */
export interface SetUp extends SheetContext {
	sheet: SheetAddress;
	settings: TriggerSettings;
}

/** A node that receives a delivery. */
export interface Receiver extends SetUp {
	context: IWebhookFunctions;
}

/** Reads how the node is set up. Throws InputError for what is wrong. */
export async function readSetUp(context: IHookFunctions | IWebhookFunctions): Promise<SetUp> {
	const call = await connectTrigger(context);
	return { ...call, settings: await readSettings(call) };
}

/** Returns the receiver. Throws Refusal: what is wrong is said on activation; here, anybody may be asking. */
export async function connectReceiver(context: IWebhookFunctions): Promise<Receiver> {
	const setUp = await readSetUp(context).catch((cause: unknown) => {
		const reason = "The node's credential, sheet or settings are not set up";
		throw new Refusal(503, reason, { cause });
	});
	return { context, ...setUp };
}
