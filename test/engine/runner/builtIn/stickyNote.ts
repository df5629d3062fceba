import type { INodeType } from 'n8n-workflow';

/** A note on the canvas: never executed. */
export const stickyNote: INodeType = {
	description: {
		displayName: 'Sticky Note',
		name: 'stickyNote',
		group: ['input'],
		version: 1,
		description: 'A note on the canvas',
		defaults: { name: 'Sticky Note' },
		inputs: [],
		outputs: [],
		properties: [
			{ displayName: 'Content', name: 'content', type: 'string', default: '' },
			{ displayName: 'Height', name: 'height', type: 'number', default: 160 },
			{ displayName: 'Width', name: 'width', type: 'number', default: 240 },
			{ displayName: 'Color', name: 'color', type: 'number', default: 1 },
		],
	},
};
