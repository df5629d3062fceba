import { ProbeClient } from '../../probe/client';
import { fieldNames, ScratchSheet } from '../../probe/scratchSheet';
import { startReferenceService, type ReferenceService } from '../../service';
import { Sheet, type SheetDefinition } from '../../service/data/sheet';

const path = 'probe/scratch';
const index = 21;

const choices = ['One', 'Two'];

/** The scratch sheet that the README of the probe describes. */
const definition: SheetDefinition = {
	path,
	index,
	folderName: 'Probe',
	name: 'Scratch',
	keyFieldId: '1900001',
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{ id: '1900001', name: fieldNames.mark, type: 'text', onListing: true },
		{ id: '1900002', name: fieldNames.text, type: 'text' },
		{ id: '1900003', name: fieldNames.number, type: 'number' },
		{ id: '1900004', name: fieldNames.date, type: 'date' },
		{ id: '1900005', name: fieldNames.choice, type: 'singleSelection', choices },
		{ id: '1900006', name: fieldNames.choices, type: 'multipleSelection', choices },
		{ id: '1900007', name: fieldNames.unique, type: 'text', unique: true },
		{ id: '1900008', name: fieldNames.person, type: 'user' },
		{ id: '1900009', name: fieldNames.file, type: 'file' },
		{ id: '1900010', name: '', type: 'text' },
	],
	subtables: [
		{
			id: '2900001',
			name: 'Probe Rows',
			fields: [{ id: '3900001', name: fieldNames.row, type: 'text', onListing: true }],
		},
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 5; counter += 1) {
			sheet
				.add({ at: Date.UTC(2024, 0, counter, 8), user: 'ada.admin@acme.example' })
				.set('1900001', `Record of somebody ${counter}`)
				.set('1900003', String(counter))
				.set('1900006', ['Two']);
		}
	},
};

/** The service shared by the tests of a file. */
export let service: ReferenceService;

/** Starts the service, and resets it before each test. Call it at the top level of the file. */
export function withService(): void {
	beforeAll(async () => {
		service = await startReferenceService({ demoRecords: 10 });
	});
	afterAll(async () => await service.close());
	beforeEach(() => {
		service.reset();
		service.clock.set(Date.UTC(2026, 2, 4, 9, 30, 17));
	});
}

/** Adds the scratch sheet to the account, in its initial state. */
export function addScratchSheet({ data }: ReferenceService): Sheet {
	const sheet = new Sheet(definition);
	data.sheets.push(sheet);
	return sheet;
}

/** Returns the signed body of a webhook about a text that serializers spell in different ways. */
export function savedDelivery({ data, webhooks }: ReferenceService): string {
	const sheet = data.sheet({ path, index });
	const record = sheet.record(0).set('1900002', 'a/b <é> \u2028 日本');
	return webhooks.body(sheet, 'UPDATE', [record]);
}

interface Access {
	apiKey?: string;
	withLogin?: boolean;
	mayWrite?: boolean;
	delivery?: string;
}

/** Opens the scratch sheet for the probe. Waiting only advances the service's clock. */
export function openScratchSheet(service: ReferenceService, access: Access = {}): ScratchSheet {
	const { baseUrl, account, clock, identities } = service;
	const { apiKey = identities.admin.apiKey, withLogin = true, mayWrite = true } = access;
	const { email, password } = identities.admin;
	const client = new ProbeClient({
		baseUrl,
		account,
		apiKey,
		login: withLogin ? { email, password } : undefined,
		clock: {
			now: () => clock.now(),
			wait: async (milliseconds) => await Promise.resolve(clock.advance(milliseconds)),
		},
		intervalMilliseconds: 0,
	});
	return new ScratchSheet(client, `${path}/${index}`, new Map(), mayWrite, access.delivery);
}
