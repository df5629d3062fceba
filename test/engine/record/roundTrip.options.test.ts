import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { amount } from '../../amount';
import {
	customers,
	internalUsers,
	invoices,
	orders,
	recipes,
	tasks,
	type IdentityName,
	type SheetAddress,
} from '../../service';
import { recordId, sheet, unname, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 200 });

/** Record of a sheet, and the user who reads and writes it. Only an administrator has access to the types of the fields. */
interface Source {
	on: SheetAddress;
	id: number;
	identity: IdentityName;
}

const places: Array<[on: SheetAddress, ...ids: number[]]> = [
	[orders, 1, 8, 12, 15, 27, 50],
	[customers, 2, 10],
	[invoices, 1],
	[recipes, 0],
	[tasks, 2],
];
const sources = fc.constantFrom<Source>(
	...places.flatMap(([on, ...ids]) =>
		ids.flatMap((id): Source[] => [
			{ on, id, identity: 'admin' },
			{ on, id, identity: 'member' },
		]),
	),
	{ on: internalUsers, id: 3, identity: 'admin' },
);

const flag = fc.option(fc.boolean(), { nil: undefined });
const reads = fc
	.record({
		simplify: fc.boolean(),
		options: fc.record({
			fieldKeys: fc.constantFrom('name', 'id'),
			approval: flag,
			bbcode: flag,
			comment: flag,
			conversation: flag,
			history: flag,
			ignoreMask: flag,
			info: flag,
			isoDates: flag,
			subtables: flag,
			timeZone: fc.constantFrom(undefined, 0, 8, -3.5),
			typedValues: flag,
		}),
	})
	.map(({ options, ...read }) => ({
		...read,
		options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
	}));

/** Options without the service's script, which would change another field. */
const quiet = { doWorkflow: false };
/** Time zone of the workflow, which differs from the account's time zone. ISO times must not be converted to it. */
const timezone = 'Asia/Taipei';

async function readItem({ on, id, identity }: Source, read: INodeParameters) {
	const credentials = testbed.credentials(identity);
	const parameters = { operation: 'get', sheet: sheet(on), recordId: recordId(id), ...read };
	const result = await testbed.run(parameters, [{}], { credentials, timezone });
	expect(result.error).toBeUndefined();
	return result.json[0] ?? {};
}

/** Sets values that the demo data lacks: they look like values that a read converts. */
function fill({ on, id }: Source): void {
	if (on !== orders) return;
	const { fields } = orders;
	unname(testbed.service);
	testbed.service.data
		.record(on, id)
		.set(fields.note, 'first')
		.set(fields.secondNote, 'a &lt; b <i>c</i>')
		.set(fields.unnamed, '2024')
		.set(fields.internalMargin, '22%')
		.set(fields.reference, id % 2 === 0 ? '2023-01-02' : '2023/01/02')
		.set(fields.workflowStamp, 'Checked');
}

/** Reads a source record with these options, writes the item, and returns the written record. */
async function writeBack(source: Source, read: INodeParameters, operation: 'create' | 'update') {
	const { on, id, identity } = source;
	const item = await readItem(source, read);
	const which = operation === 'update' ? { recordId: recordId(id) } : {};
	const write = { operation, sheet: sheet(on), ...which, ...autoMapped(), options: quiet };
	const overrides = { credentials: testbed.credentials(identity), timezone };
	const result = await testbed.runById(write, [item], overrides);
	expect(result.error).toBeUndefined();
	return Number(result.json[0]?._recordId);
}

it('a record that was read with any options is unchanged by an update, and a copy has all writable values', async () => {
	await fc.assert(
		fc.asyncProperty(sources, reads, async (source, read) => {
			const { on, id } = source;
			testbed.service.reset();
			fill(source);
			const stored = () => JSON.stringify(storedValues(testbed.service.data.record(on, id)));
			const before = stored();
			await writeBack(source, read, 'update');
			expect(stored()).toBe(before);
			const copyId = await writeBack(source, read, 'create');
			expect(copyId).not.toBe(id);
			const copied = (recordId: number) =>
				JSON.stringify(comparable(source, recordId, read.options));
			expect(copied(copyId)).toBe(copied(id));
			expect(stored()).toBe(before);
		}),
		{ numRuns: amount(4, 60) },
	);
});

/**
 * Returns the values that must be equal in both records: no files, no values that the service fills in, no values that were not
 * read, and no possible rich text for users without access to the types.
 */
function comparable({ on, identity }: Source, id: number, options: INodeParameters): unknown {
	const sheetData = testbed.service.data.sheet(on);
	const isUnmasked = options.ignoreMask === true && identity === 'admin';
	const isWritable = (fieldId: string) => {
		const { type, readOnly, computed } =
			sheetData.field(fieldId) ?? sheetData.subtableField(fieldId)?.field ?? {};
		if (readOnly || computed || type === 'autoNumber' || type === 'file') return false;
		if (type === 'maskedText') return isUnmasked;
		return type !== 'richText' || options.bbcode === true;
	};
	const { content } = testbed.service.data.record(on, id);
	const mayBeRich = (text: string) => identity !== 'admin' && /[<&]/.test(text);
	const writable = (row: typeof content.values) =>
		[...row]
			.filter(
				([fieldId, value]) => value.length > 0 && isWritable(fieldId) && !mayBeRich(String(value)),
			)
			.sort(([left], [right]) => Number(left) - Number(right));
	const rows = [...content.subtables.values()].flatMap((byId) => [...byId.values()]);
	return [writable(content.values), options.subtables === false ? [] : rows.map(writable)];
}
