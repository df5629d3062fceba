import { bytesInMemory, generatedBytes, StoredFile, type ByteSource } from './storedFiles';
import type { SheetRecord } from './record';
import { Sheet, type SheetAddress } from './sheet';

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
	readonly importSources = new Map<string, ReadonlyArray<Readonly<Record<string, string>>>>();

	private storedFiles = 0;

	sheets: Sheet[] = [];

	/** Begins anew as a copy of an account that nobody changes. */
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

	/** Keeps a file and gives the value that a file field holds for it. */
	storeFile(name: string, mimeType: string, content: Buffer | ByteSource): string {
		const source = Buffer.isBuffer(content) ? bytesInMemory(content) : content;
		const file = this.prepareFile(name, mimeType, source);
		this.keepFile(file);
		return file.value;
	}

	/** A file that is not kept yet, with its stored value. */
	prepareFile(name: string, mimeType: string, source: ByteSource): StoredFile {
		this.storedFiles += 1;
		return new StoredFile(`${storagePrefix(this.storedFiles)}@${name}`, name, mimeType, source);
	}

	keepFile(file: StoredFile): void {
		this.files.set(file.value, file);
	}

	/** Keeps a file of any size that takes up no space: its bytes are made when it is read. */
	generateFile(name: string, size: number, mimeType = 'application/octet-stream'): string {
		return this.storeFile(name, mimeType, generatedBytes(size));
	}

	sheetsHolding(fileValue: string): Sheet[] {
		return this.sheets.filter((sheet) =>
			[...sheet.records.values()].some((record) => record.holdsFile(fileValue)),
		);
	}
}

/** Ten letters and digits that look random but are the same on every run. */
function storagePrefix(counter: number): string {
	const mixed = (counter * 2654435761) % 4294967296;
	return `${mixed.toString(36)}${counter.toString(36).padStart(3, '0')}`
		.padStart(10, 'k')
		.slice(-10);
}
