import fc from 'fast-check';
import { operationParts, submitMassOperation } from '../../../../nodes/api/tasks/massOperations';
import type { MassOperation } from '../../../../nodes/api/tasks/massOperations';
import { FakeService } from '../http/fakeService';

const lock: MassOperation = { type: 'massLock', body: { action: 'lock' } };

it('every address is shorter than 7,500 characters, whatever the folders, and holds each id once', async () => {
	const folders = fc.array(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), {
		minLength: 1,
		maxLength: 8,
	});
	const ids = fc.uniqueArray(fc.integer({ min: 0, max: 1e12 }).map(String), {
		minLength: 1,
		maxLength: 1500,
	});
	await fc.assert(
		fc.asyncProperty(folders, ids, async (names, recordIds) => {
			const service = new FakeService(() => ({ body: { taskId: 'a' } }));
			const client = await service.connect();
			const sheet = { folders: names, sheetIndex: 7 };
			for (const part of operationParts(client, sheet, lock, { kind: 'records', recordIds })) {
				await submitMassOperation(client, sheet, lock, part);
			}
			const urls = service.requests.map(({ url }) => url);
			for (const { href } of urls) expect(href.length).toBeLessThan(7500);
			expect(urls.flatMap(({ searchParams }) => searchParams.getAll('recordId'))).toEqual(
				recordIds,
			);
		}),
		{ numRuns: 30 },
	);
});

it.each([
	['no ids', { kind: 'records' as const, recordIds: [] }],
	['no conditions', { kind: 'filters' as const, where: [] }],
])('a selection of %s is refused', async (_, selection) => {
	const client = await new FakeService(() => ({})).connect();
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	expect(() => operationParts(client, sheet, lock, selection)).toThrow('The selection is empty');
});

it('conditions may fill an address to the last character, and no further', async () => {
	const client = await new FakeService(() => ({})).connect();
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	const partsOf = (length: number) =>
		operationParts(client, sheet, lock, {
			kind: 'filters',
			where: [{ fieldId: '7', operator: 'eq', value: 'x'.repeat(length) }],
		});
	const service = new FakeService(() => ({ body: { taskId: 'a' } }));
	let longest = 7_000;
	const fits = (length: number) => {
		try {
			return partsOf(length).length === 1;
		} catch {
			return false;
		}
	};
	while (fits(longest + 1)) longest++;
	const sender = await service.connect();
	for (const part of partsOf(longest)) await submitMassOperation(sender, sheet, lock, part);
	const accountsDiffer = sender.connection.account.length - client.connection.account.length;
	expect(service.requests.map(({ url }) => url.href.length - accountsDiffer)).toEqual([7_499]);
});

it('a task id may be a number', async () => {
	const client = await new FakeService(() => ({ body: { taskId: 17 } })).connect();
	const sheet = { folders: ['sales'], sheetIndex: 1 };
	const taskId = await submitMassOperation(client, sheet, lock, { query: ['recordId=1'] });
	expect(taskId).toBe('17');
});
