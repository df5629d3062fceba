import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder } from '../recordTestbed';

export { itemWithFiles, storedFiles, textFile, type TestFile } from '../record/filesOnItem';

export function download(fileValue: INodeParameters[string], overrides: INodeParameters = {}) {
	return { resource: 'file', operation: 'download', fileValue, ...overrides };
}

export function upload(id: number | string, overrides: INodeParameters = {}): INodeParameters {
	return {
		resource: 'file',
		...onOrder('upload', id),
		fieldId: orders.fields.contract,
		...overrides,
	};
}
