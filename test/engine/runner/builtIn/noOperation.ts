import { NodeConnectionTypes, type INodeType } from 'n8n-workflow';

/** Passes items on. */
export const noOperation: INodeType = {
	description: {
		displayName: 'No Operation, do nothing',
		name: 'noOp',
		group: ['organization'],
		version: 1,
		description: 'Does nothing',
		defaults: { name: 'No Operation, do nothing' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};
