import { orders, type IdentityName } from '../../service';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from '../record/recordValues';
import { clearProcessState } from '../runner/typeLibrary';

/** A field is renamed to a key that stands for something else, while a list with its former name is still known. */
const testbed = useRecordTestbed({ demoRecords: 30 });
const { remark, reference } = orders.fields;

beforeEach(() => clearProcessState('sheetFields'));

function rename(name: string): void {
	for (const field of testbed.orders.fields) if (field.id === remark) field.name = name;
}

const stored = () => [remark, reference].map((id) => testbed.order(5).values.get(id));

async function read(identity: IdentityName) {
	return (await testbed.run(onOrder('get', 5), [{}], testbed.as(identity))).items[0]?.json ?? {};
}

async function writeBack(identity: IdentityName, item: object) {
	const parameters = { ...onOrder('update', '={{ $json._recordId }}'), ...autoMapped() };
	return await testbed.run(parameters, [{ ...item }], testbed.as(identity));
}

describe.each<IdentityName>(['admin', 'member'])('a renamed field, as %s', (identity) => {
	beforeEach(() => {
		testbed.order(5).set(remark, 'in Remark');
		testbed.order(5).set(reference, 'in Reference');
	});

	describe.each([false, true])('if records were read before: %s', (isReadBefore) => {
		it.each([`x (${reference})`, '_x'])('is written back under its new name %s', async (name) => {
			if (isReadBefore) await read(identity);
			await writeBack(identity, { _recordId: 6, Remark: 'new' });
			rename(name);
			const item = await read(identity);
			expect(item).toMatchObject({ [name]: 'in Remark' });
			// Leave the other field out: two keys for one field would be an error.
			const others = Object.fromEntries(
				Object.entries(item).filter(([key]) => key !== 'Reference'),
			);
			const { error } = await writeBack(identity, { ...others, [name]: 'changed' });
			expect(error).toBeUndefined();
			expect(stored()).toEqual(['changed', 'in Reference']);
		});
	});
});

it('a key that is no field costs one list of fields for all items', async () => {
	await writeBack('admin', { _recordId: 6, Remark: 'new' });
	testbed.service.requests.forget();
	const parameters = { ...onOrder('update', '={{ $json._recordId }}'), ...autoMapped() };
	const items = [5, 6, 7].map((id) => ({ _recordId: id, Remark: 'newer', _mine: 'x' }));
	const { error } = await testbed.run(parameters, items, testbed.as('admin'));
	expect(error).toBeUndefined();
	expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('metadata')).length).toBe(1);
});
