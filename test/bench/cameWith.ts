import { statSync } from 'node:fs';

import { binaryPath, type RunResult } from '../engine/runner';
import type { Task } from './task';

/** What came with a run: the bytes of a download's file, else the number of its items. */
export function cameWith({ items }: RunResult, { work }: Pick<Task, 'work'>): number {
	if (work !== 'download') return items.length;
	return statSync(binaryPath(items[0]?.binary?.data)).size;
}
