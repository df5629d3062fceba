import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, storedFiles, textFile } from './filesOnItem';
import { autoMapped, filesOption } from './recordValues';

const testbed = useRecordTestbed();
const { contract, description, reference, remark } = orders.fields;
const ragic = () => testbed.as('member', { serviceDialect: 'ragic' });

const options = {
	...filesOption([contract, 'data']),
	...{ filesMode: 'replace', missingFile: 'skip', skipUnchanged: true },
};

const itemWith = async (json: IDataObject, name: string) =>
	await itemWithFiles(json, { data: textFile(name) });

it.each<[string, INodeParameters, string]>([
	['an update', onOrder('update', '={{ $itemIndex ? 6 : 4 }}'), remark],
	['an upsert', onOrders('upsert'), reference],
])(
	'Files Mode Replace removes the old file in %s beside an item without a file, if the service can select fields',
	async (_, operation, key) => {
		for (const id of [4, 6]) testbed.order(id).set(reference, `FILE-${id}`);
		const parameters = { ...operation, ...autoMapped([reference]), options };
		const upload = { ...onOrder('update', 6), ...autoMapped(), options };
		await testbed.runById(upload, [await itemWith({ [remark]: 'first' }, 'old.txt')], ragic());

		const values = (id: number) => ({ [key]: `FILE-${id}`, [description]: `[b]new ${id}[/b]` });
		const items = [{ json: values(4) }, await itemWith(values(6), 'new.txt')];
		const result = await testbed.runById(parameters, items, ragic());

		expect(result.outcomes).toEqual(['4 updated #0', '6 updated #1']);
		expect(storedFiles(testbed.service, orders, 6, contract)).toMatchObject([{ name: 'new.txt' }]);
	},
);
