import type { SheetAddress } from '../data/sheet';

/** The event types (specification, "Events"). */
export const webhookEvents = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** One row in the webhook settings of a sheet. */
export interface WebhookReceiver {
	url: string;
	/** Which events are sent; all of them when not given. */
	events: readonly WebhookEvent[];
	/** The checkbox that selects sending the full content. */
	fullContent: boolean;
}

export class WebhookReceivers {
	private readonly bySheet = new Map<string, WebhookReceiver[]>();

	/** Enters a receiver; one with the same address gives way, or only one with the same events, too. */
	add(sheet: SheetAddress, receiver: WebhookReceiver, { besideOthers = false } = {}): void {
		this.remove(sheet, receiver.url, besideOthers ? receiver.events : undefined);
		this.bySheet.set(keyOf(sheet), [...this.of(sheet), receiver]);
	}

	/** Takes out the receivers with the address, or only one with just these events. */
	remove(sheet: SheetAddress, url: string, events?: readonly WebhookEvent[]): void {
		const others = this.of(sheet).filter(
			(receiver) => receiver.url !== url || (events && !isSame(events, receiver.events)),
		);
		this.bySheet.set(keyOf(sheet), others);
	}

	of(sheet: SheetAddress): WebhookReceiver[] {
		return this.bySheet.get(keyOf(sheet)) ?? [];
	}

	clear(): void {
		this.bySheet.clear();
	}
}

function keyOf({ path, index }: SheetAddress): string {
	return `${path}/${index}`;
}

function isSame(one: readonly WebhookEvent[], other: readonly WebhookEvent[]): boolean {
	return webhookEvents.every((event) => one.includes(event) === other.includes(event));
}
