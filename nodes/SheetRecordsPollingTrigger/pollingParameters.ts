import type { INodeProperties } from 'n8n-workflow';
import { conditionsParameter, readConditions, sharedViewId } from '../shared/parameters/filters';
import { authenticationParameter } from '../shared/editor/nodeDescription';
import {
	fieldOptions,
	flags,
	formOptions,
	listFlags,
	versionOption,
} from '../shared/parameters/options';
import {
	choiceParameter,
	mapped,
	numberParameter,
	optional,
	optionsCollection,
	propertiesOf,
	textParameter,
} from '../shared/parameters/parameter';
import type { Parameter, SheetContext } from '../shared/parameters/parameter';
import { simplifyParameter } from '../shared/output/recordOutput';
import { positiveInteger } from '../shared/parameters/settings';
import { sheetProperty } from '../shared/parameters/sheet';
import { eventsParameter, outputOption, watchedFields } from '../shared/trigger';
import { InputError } from '../api/values/inputError';
import type { WhereCondition } from '../api/read/query';
import { toServiceDate } from '../api/values/dates';

/** The system field that polling itself asks for (specification, "System fields"). */
export const lastUpdateDate = '109';

/** The changes that start the workflow. */
export const eventsToTell = eventsParameter(
	['CREATE', 'UPDATE'],
	'Changes that start the workflow, including changes made by workflows. Deletions are detected on sheets of at most 50,000 records.',
);

const usualPolls = 10;

const deletionCheck = numberParameter(
	{
		displayName: 'Check for Deletions Every',
		name: 'deletionCheckEvery',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { '/events': ['DELETE'] } },
		default: usualPolls,
		description:
			'Number of polls between two checks for deleted records. A check lists all record IDs and is skipped on sheets with more than 50,000 records.',
	},
	...positiveInteger,
);

/**
 * The conditions that records must match beside having changed. Throws InputError as the filters of Get Many,
 * and for a condition on the date by which the node asks.
 */
export async function conditionsBesideDate(item: SheetContext): Promise<WhereCondition[]> {
	const conditions = await readConditions(item, item.clock());
	if (conditions.every(({ fieldId }) => fieldId !== lastUpdateDate)) return conditions;
	throw new InputError(
		"'Filters' has a condition on the Last Update Date, which the node itself uses to find changes",
		"Remove the condition. To exclude changes by their date, add n8n's Filter node after this one.",
	);
}

/** Where a node starts whose sheet, filters and events are new. */
const startChoice = choiceParameter({
	displayName: 'Start From',
	name: 'startFrom',
	choices: {
		all: ['All Records', 'Return every record once, at most 1,000 per poll'],
		date: ['Date', 'Return records changed since a date'],
		now: ['Now', 'Return records changed after the workflow is published'],
	},
	default: 'now',
	description: 'Which records to return first',
});

const startDate = textParameter({
	displayName: 'Start Date',
	name: 'startDate',
	type: 'dateTime',
	required: true,
	displayOptions: { show: { startFrom: ['date'] } },
	default: '',
	description: "Last Update Date to start from, in the account's time zone",
});

/** The Last Update Date to start from, as the service writes it; empty for all records, undefined for now. */
export const startTime: Parameter<string | undefined, SheetContext> = {
	properties: [...startChoice.properties, ...startDate.properties],
	parse(item) {
		const choice = startChoice.parse(item);
		if (choice === 'all' && !eventsToTell.parse(item).includes('CREATE')) {
			throw new InputError(
				"'Start From' is All Records, which are returned as created, but 'Trigger On' does not include Record Created",
				"Add Record Created, or set 'Start From' to Now or Date.",
			);
		}
		if (choice !== 'date') return choice === 'all' ? '' : undefined;
		const time = toServiceDate(item.value('startDate'), item.clock(), 'dateTime');
		if (time !== undefined) return time;
		throw new InputError("'Start Date' is not a date", 'Choose a date, or check its expression.');
	},
};

/** What the items hold, and how often deleted records are looked for. */
export const outputParameters = {
	simplify: simplifyParameter,
	options: optionsCollection({
		...fieldOptions,
		...formOptions,
		ignoreMask: flags.ignoreMask,
		ignoreFixedFilter: listFlags.ignoreFixedFilter,
		form: outputOption,
		sharedViewId,
		deletionCheckEvery: mapped(optional(deletionCheck), (polls = usualPolls) => polls),
		version: versionOption,
	}),
};

export const pollingProperties: INodeProperties[] = [
	...authenticationParameter.properties,
	...eventsToTell.properties,
	{ ...sheetProperty, description: 'Sheet whose changes start the workflow' },
	...conditionsParameter.properties,
	...watchedFields.properties,
	...startTime.properties,
	...propertiesOf(outputParameters),
];
