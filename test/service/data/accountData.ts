import { bytesInMemory, generatedBytes, StoredFile, type ByteSource } from './storedFiles';
import type { SheetRecord } from './record';
import { Sheet, type SheetAddress } from './sheet';

export interface Notification {
	sheet: SheetAddress;
	recordId: number;
	user: string;
}

/** The whole state of the account. Tests read and change it directly. */
export class AccountData {
	/** Stored files, keyed by the value of the file field. */
	readonly files = new Map<string, StoredFile>();

	notifications: Notification[] = [];

	/** Records that the import finds at a URL, with their texts by field ID. */
	readonly importSources = new Map<string, ReadonlyArray<Readonly<Record<string, string>>>>();

	private storedFiles = 0;

	sheets: Sheet[] = [];

	/** Resets to a copy of an account that is never changed. */
	beginAs(original: AccountData): void {
		this.files.clear();
		for (const file of original.files.values()) this.keepFile(file);
		this.importSources.clear();
		for (const [url, source] of original.importSources) this.importSources.set(url, source);
		this.notifications = [];
		this.storedFiles = original.storedFiles;
		this.sheets = original.sheets.map((sheet) => new Sheet(sheet.definition, sheet));
	}

	sheet(address: SheetAddress): Sheet {
		const sheet = this.findSheet(address);
		if (!sheet) throw new Error(`There is no sheet ${address.path}/${address.index}`);
		return sheet;
	}

	findSheet({ path, index }: SheetAddress): Sheet | undefined {
		return this.sheets.find((sheet) => sheet.path === path && sheet.index === index);
	}

	record(address: SheetAddress, recordId: number): SheetRecord {
		return this.sheet(address).record(recordId);
	}

	/** Stores a file. Returns the value for the file field. */
	storeFile(name: string, mimeType: string, content: Buffer | ByteSource): string {
		const source = Buffer.isBuffer(content) ? bytesInMemory(content) : content;
		const file = this.prepareFile(name, mimeType, source);
		this.keepFile(file);
		return file.value;
	}

	/** Returns a file with its field value, without storing it yet. */
	prepareFile(name: string, mimeType: string, source: ByteSource): StoredFile {
		this.storedFiles += 1;
		return new StoredFile(`${storagePrefix(this.storedFiles)}@${name}`, name, mimeType, source);
	}

	keepFile(file: StoredFile): void {
		this.files.set(file.value, file);
	}

	/** Stores a file of any size without using memory: its bytes are generated when it is read. */
	generateFile(name: string, size: number, mimeType = 'application/octet-stream'): string {
		return this.storeFile(name, mimeType, generatedBytes(size));
	}

	sheetsHolding(fileValue: string): Sheet[] {
		return this.sheets.filter((sheet) =>
			[...sheet.records.values()].some((record) => record.holdsFile(fileValue)),
		);
	}
}

/** Returns ten letters and digits that look random but are the same in every run. */
function storagePrefix(counter: number): string {
	const mixed = (counter * 2654435761) % 4294967296;
	return `${mixed.toString(36)}${counter.toString(36).padStart(3, '0')}`
		.padStart(10, 'k')
		.slice(-10);
}
