import type { INodeType } from 'n8n-workflow';

import { manualTrigger } from './manualTrigger';
import { noOperation } from './noOperation';
import { set } from './set';
import { splitOut } from './splitOut';
import { stickyNote } from './stickyNote';

/**
 * The few nodes of n8n that our workflows use, written anew: n8n's own package is not installed. Each
 * does only what those workflows ask of it and refuses the rest, so that none of them works here
 * but not in n8n.
 */
export const builtInNodes: Record<string, INodeType> = {
	'n8n-nodes-base.manualTrigger': manualTrigger,
	'n8n-nodes-base.noOp': noOperation,
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.stickyNote': stickyNote,
};
