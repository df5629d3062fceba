import { sheetPath } from '../wire/sheetAddress';
import type { SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';

/** One thing that is known of each sheet for as long as a client lives: a run. */
export class SheetMemory<Known> {
	private readonly sheetsOfClients = new WeakMap<Client, Map<string, Known>>();

	/** What is known; undefined when nothing was set. */
	get(client: Client, sheet: SheetAddress): Known | undefined {
		return this.sheetsOfClients.get(client)?.get(pathOf(client, sheet));
	}

	set(client: Client, sheet: SheetAddress, known: Known): void {
		const sheets = this.sheetsOfClients.get(client) ?? new Map<string, Known>();
		this.sheetsOfClients.set(client, sheets.set(pathOf(client, sheet), known));
	}

	delete(client: Client, sheet: SheetAddress): void {
		this.sheetsOfClients.get(client)?.delete(pathOf(client, sheet));
	}
}

function pathOf({ connection }: Client, sheet: SheetAddress): string {
	return sheetPath(connection.account, sheet);
}
