import { sheetPath, type SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import type { Connection } from './connection';

/** One thing that is known of each sheet for a run, whose clients have their connection in common. */
export class SheetMemory<Known> {
	private readonly sheetsOfRuns = new WeakMap<Connection, Map<string, Known>>();

	/** What is known; undefined when nothing was set. */
	get(client: Client, sheet: SheetAddress): Known | undefined {
		return this.sheetsOfRuns.get(client.connection)?.get(pathOf(client, sheet));
	}

	set(client: Client, sheet: SheetAddress, known: Known): void {
		const sheets = this.sheetsOfRuns.get(client.connection) ?? new Map<string, Known>();
		this.sheetsOfRuns.set(client.connection, sheets.set(pathOf(client, sheet), known));
	}

	delete(client: Client, sheet: SheetAddress): void {
		this.sheetsOfRuns.get(client.connection)?.delete(pathOf(client, sheet));
	}
}

function pathOf({ connection }: Client, sheet: SheetAddress): string {
	return sheetPath(connection.account, sheet);
}
