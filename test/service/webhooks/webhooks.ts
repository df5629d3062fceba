import { Agent, request } from 'undici';
import type { SheetRecord } from '../data/record';
import type { Sheet, SheetAddress } from '../data/sheet';
import { writeJson, type JsonValue } from '../json';
import { RecordView } from '../reading/recordView';
import { contentOptions } from '../reading/viewOptions';
import type { Switches } from '../switches';
import { jsonSpellings, SigningKey } from './signingKey';

/** Event types (specification, "Events"). */
export const webhookEvents = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** A row in the webhook settings of a sheet. */
export interface WebhookReceiver {
	url: string;
	/** Events that are sent. */
	events: readonly WebhookEvent[];
	/** The checkbox that selects the full content. */
	fullContent: boolean;
}

export class WebhookReceivers {
	private readonly bySheet = new Map<string, WebhookReceiver[]>();

	/**
	 * Adds a receiver. Replaces receivers with the same address, or with `besideOthers` only a receiver that also has the
	 * same events.
	 */
	add(sheet: SheetAddress, receiver: WebhookReceiver, { besideOthers = false } = {}): void {
		this.remove(sheet, receiver.url, besideOthers ? receiver.events : undefined);
		this.bySheet.set(keyOf(sheet), [...this.of(sheet), receiver]);
	}

	/** Removes the receivers with the address, or only a receiver with exactly these events. */
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

function isSame(left: readonly WebhookEvent[], right: readonly WebhookEvent[]): boolean {
	return webhookEvents.every((event) => left.includes(event) === right.includes(event));
}

export interface WebhookDelivery {
	url: string;
	body: string;
	/** 0 if there was no complete answer. */
	status: number;
	answer: string;
}

/** Members of a delivery's body that replace the real ones. Undefined removes a member. */
export type BodyChanges = { [key: string]: JsonValue | undefined };

/** Sends changes to the receivers in the webhook settings of a sheet (specification, "Events"). */
export class Webhooks {
	readonly key = new SigningKey();

	readonly receivers = new WebhookReceivers();

	/** All deliveries since the last `clear()`, in order of the answers. */
	log: WebhookDelivery[] = [];

	private agent: Agent | undefined;

	/** The previous delivery. The promise never rejects. */
	private last: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly account: string,
		private readonly switches: Switches,
	) {}

	/** Adds an address in the webhook settings of a sheet, as a user does. */
	register(sheet: SheetAddress, url: string, settings: Partial<WebhookReceiver> = {}): void {
		this.receivers.add(sheet, { url, events: webhookEvents, fullContent: true, ...settings });
	}

	/** Sends changed records to the sheet's receivers. */
	changed(sheet: Sheet, event: WebhookEvent, records: readonly SheetRecord[]): void {
		if (records.length === 0) return;
		for (const { url, events, fullContent } of this.receivers.of(sheet)) {
			if (!events.includes(event)) continue;
			// Serialize now, because later changes must not appear in this delivery.
			const body = fullContent
				? this.body(sheet, event, records)
				: JSON.stringify(records.map(({ id }) => id));
			void this.deliver(url, body);
		}
	}

	/** Resolves when all pending deliveries have been answered. */
	async settled(): Promise<WebhookDelivery[]> {
		await this.last;
		return this.log;
	}

	body(
		sheet: Sheet,
		event: WebhookEvent,
		records: readonly SheetRecord[],
		changes: BodyChanges = {},
	): string {
		const view = new RecordView(sheet, contentOptions, this.switches);
		return this.signedBody(
			records.map((record) => view.record(record)),
			{
				apname: this.account,
				path: `/${sheet.path}`,
				...this.spelled(sheet, event),
				...changes,
			},
		);
	}

	private spelled({ index }: Sheet, event: WebhookEvent): BodyChanges {
		return this.switches.deliveryForm === 'published'
			? { sheetIndex: index, eventType: event }
			: { sheetIndex: String(index), eventType: event.toLowerCase() };
	}

	/** Returns a body with this data and its signature. Undefined members are omitted. */
	signedBody(data: JsonValue[], others: BodyChanges): string {
		const { bodySpelling } = this.switches;
		const members = { data, signature: this.signature(data), ...others };
		const present = Object.entries(members).flatMap(([key, value]): Array<[string, JsonValue]> =>
			value === undefined ? [] : [[key, value]],
		);
		return writeJson(new Map(present), jsonSpellings[bodySpelling]);
	}

	sign(text: string): string {
		return this.key.sign(text, this.switches.signatureForm);
	}

	/** Sends a text to an address after all earlier deliveries have been answered. */
	async deliver(
		url: string,
		body: string | Buffer,
		headers = this.switches.deliveryForm === 'published'
			? jsonType
			: { 'content-type': 'text/plain' },
	): Promise<WebhookDelivery> {
		// A delivery in progress during `clear()` belongs to the earlier log.
		const { log } = this;
		const sending = this.last.then(async () => {
			const delivery = await this.send(url, body, headers);
			log.push(delivery);
			return delivery;
		});
		this.last = sending;
		return await sending;
	}

	clear(): void {
		this.receivers.clear();
		this.key.reset();
		this.log = [];
	}

	async close(): Promise<void> {
		await this.last;
		await this.agent?.close();
	}

	private signature(data: JsonValue[]): string {
		return this.sign(writeJson(data, jsonSpellings[this.switches.signedSpelling], true));
	}

	/** Sends a delivery. Errors are stored as its answer. */
	private async send(
		url: string,
		body: string | Buffer,
		headers: Record<string, string>,
	): Promise<WebhookDelivery> {
		this.agent ??= new Agent();
		const delivery: WebhookDelivery = { url, body: body.toString(), status: 0, answer: '' };
		try {
			const options = { method: 'POST', headers, body, dispatcher: this.agent } as const;
			const answer = await request(url, options);
			delivery.answer = await answer.body.text();
			delivery.status = answer.statusCode;
		} catch (error) {
			delivery.answer = String(error);
		}
		return delivery;
	}
}

const jsonType = { 'content-type': 'application/json;charset=UTF-8' };
