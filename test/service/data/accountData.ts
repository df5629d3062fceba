import type { SheetRecord } from './record';
import type { Sheet, SheetAddress } from './sheet';

export interface StoredFile {
	/** `<prefix>@<file name>`: what the file field holds. */
	value: string;
	name: string;
	mimeType: string;
	content: Buffer;
}

/** A message to users that a write has caused. */
export interface Notification {
	sheet: SheetAddress;
	recordId: number;
	user: string;
}

/** The whole state of the account: read it and change it directly. */
export class AccountData {
	/** Stored files by their stored value. */
	readonly files = new Map<string, StoredFile>();

	notifications: Notification[] = [];

	/** What the import finds at a URL: records as field id and text. */
	readonly importSources = new Map<string, Array<Record<string, string>>>();

	private storedFiles = 0;

	sheets: Sheet[] = [];

	clear(): void {
		this.files.clear();
		this.importSources.clear();
		this.notifications = [];
		this.storedFiles = 0;
		this.sheets = [];
	}

	/** A sheet that must be there, by an address from `demoData/identifiers`. */
	sheet(address: SheetAddress): Sheet {
		const sheet = this.findSheet(address);
		if (!sheet) throw new Error(`There is no sheet ${address.path}/${address.index}`);
		return sheet;
	}

	findSheet({ path, index }: SheetAddress): Sheet | undefined {
		return this.sheets.find((sheet) => sheet.path === path && sheet.index === index);
	}

	/** A record that must be there. */
	record(address: SheetAddress, recordId: number): SheetRecord {
		return this.sheet(address).record(recordId);
	}

	/** Keeps a file and gives the value that a file field holds for it. */
	storeFile(name: string, mimeType: string, content: Buffer): string {
		this.storedFiles += 1;
		const value = `${storagePrefix(this.storedFiles)}@${name}`;
		this.files.set(value, { value, name, mimeType, content });
		return value;
	}
}

/** Ten letters and digits that look random but are the same on every run. */
function storagePrefix(counter: number): string {
	const mixed = (counter * 2654435761) % 4294967296;
	return `${mixed.toString(36)}${counter.toString(36).padStart(3, '0')}`
		.padStart(10, 'k')
		.slice(-10);
}
