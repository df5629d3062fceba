import type { Resource } from '../../operation';
import { download } from './download';
import { upload } from './upload';

export const file: Resource = {
	value: 'file',
	name: 'File',
	description: 'A file in a file or image field',
	defaultOperation: download,
	operations: [download, upload],
};
