import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { recordId, sheet } from '../recordTestbed';

export { itemWithFiles, storedFiles, textFile, type TestFile } from '../record/filesOnItem';

export function download(fileValue: INodeParameters[string], more: INodeParameters = {}) {
	return { resource: 'file', operation: 'download', fileValue, ...more };
}

export function upload(id: number | string, more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'file',
		operation: 'upload',
		sheet: sheet(orders),
		recordId: recordId(id),
		fieldId: orders.fields.contract,
		...more,
	};
}
