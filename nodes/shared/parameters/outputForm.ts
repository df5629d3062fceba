import { InputError } from '../../api/values/inputError';
import { fieldsPickList } from '../editor/pickList';
import { fieldNamesOf } from './options';
import { choiceParameter, flagParameter, type Parameter, type ParameterSource } from './parameter';

const simplifyProperty = {
	displayName: 'Simplify',
	name: 'simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const simplifyParameter = flagParameter(simplifyProperty);

/** The form of the records in the output. */
export interface OutputForm {
	simplify: boolean;
	/** Set if the output has only these fields. Takes precedence over the option Only Fields. */
	onlyFields?: string[];
	/** Label of the parameter that has them, if it is not the option. */
	onlyFieldsLabel?: string;
}

const toolOutput = choiceParameter({
	displayName: 'Output',
	name: 'output',
	displayOptions: { show: { '@tool': [true] } },
	choices: {
		raw: ['Raw', 'The records as the service sends them'],
		fields: ['Selected Fields', 'Only the fields that the model needs'],
		simplified: ['Simplified', 'All fields, without internal keys'],
	},
	default: 'simplified',
	description: 'What the model gets of each record. Fewer fields leave it more room for records.',
});

const toolFields = {
	...fieldsPickList('outputFields', 'Output Field Names or IDs', 'The fields to return.'),
	displayOptions: { show: { '@tool': [true], output: ['fields'] } },
};

/** The form of the records: Simplify in a workflow, Output in a tool of an AI agent. Parsing throws InputError if no field is selected. */
export const outputFormParameter: Parameter<OutputForm, ParameterSource> = {
	properties: [
		...simplifyParameter.properties.map((property) => ({
			...property,
			displayOptions: { hide: { '@tool': [true] } },
		})),
		...toolOutput.properties,
		toolFields,
	],
	parse(item) {
		// n8n gives a node no parameter that it does not show.
		if (item.value('output') === undefined) return { simplify: simplifyParameter.parse(item) };
		const output = toolOutput.parse(item);
		if (output !== 'fields') return { simplify: output === 'simplified' };
		const onlyFieldsLabel = toolFields.displayName;
		const onlyFields = fieldNamesOf(item.value(toolFields.name), onlyFieldsLabel);
		if (onlyFields.length > 0) return { simplify: true, onlyFields, onlyFieldsLabel };
		throw new InputError(`'${onlyFieldsLabel}' is empty`, 'Choose at least one field.');
	},
};
