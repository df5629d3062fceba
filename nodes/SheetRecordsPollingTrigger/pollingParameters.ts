import type { INodeProperties } from 'n8n-workflow';
import { conditionsParameter, parseConditions, sharedViewId } from '../shared/parameters/filters';
import { authenticationParameter } from '../shared/editor/nodeDescription';
import {
	fieldOptions,
	firstReadingOptions,
	flags,
	formOptions,
	listFlags,
	versionOption,
} from '../shared/parameters/options';
import { misfit } from '../shared/parameters/settings';
import {
	choiceParameter,
	mapped,
	positiveIntegerParameter,
	optional,
	optionsCollection,
	propertiesOf,
	textParameter,
} from '../shared/parameters/parameter';
import type { Parameter, SheetContext } from '../shared/parameters/parameter';
import { simplifyParameter } from '../shared/parameters/outputForm';
import { sheetProperty } from '../shared/parameters/sheet';
import { eventsParameter, outputOption, watchedFields } from '../shared/trigger';
import { InputError } from '../api/values/inputError';
import { whereParts, type WhereCondition } from '../api/read/query';
import { fromServiceDate, toServiceDate } from '../api/values/dates';

/** ID of the system field Last Update Date, by which polling filters and sorts (specification, "System fields"). */
export const lastUpdateDate = '109';

/** The changes that start the workflow. */
export const selectedEvents = eventsParameter(
	['CREATE', 'UPDATE'],
	'Changes that start the workflow, including changes made by workflows. Deletions are detected on sheets of at most 50,000 records.',
);

const defaultCheckEvery = 10;

const deletionCheck = positiveIntegerParameter({
	displayName: 'Check for Deletions Every',
	name: 'deletionCheckEvery',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { '/events': ['DELETE'] } },
	default: defaultCheckEvery,
	description:
		'Number of polls between two checks for deleted records. A check lists all record IDs, and works for at most 50,000 records.',
});

/**
 * Returns the conditions that changed records must match. Throws InputError for a wrong condition, and for a condition on the
 * Last Update Date, because the node itself filters by it.
 */
export async function conditionsBesideDate(item: SheetContext): Promise<WhereCondition[]> {
	const conditions = await parseConditions(item, item.timeZone());
	// The node adds a condition on the date to each request.
	const since = { fieldId: lastUpdateDate, operator: 'gte', value: '2026/01/31 09:30:00' };
	if (whereParts([...conditions, since]).length > 1) {
		throw new InputError(
			"The list of 'Is One Of' in 'Filters' is too long for the one request of a poll",
			"Shorten the list, or filter the items with n8n's Filter node after this one.",
		);
	}
	if (conditions.every(({ fieldId }) => fieldId !== lastUpdateDate)) return conditions;
	throw new InputError(
		"'Filters' has a condition on the Last Update Date, which the node itself uses to find changes",
		"Remove the condition. To exclude changes by their date, add n8n's Filter node after this one.",
	);
}

/** Start of a new node, or of a node with another sheet, credential or start (see `settingsOf`). */
const startChoice = choiceParameter({
	displayName: 'Start From',
	name: 'startFrom',
	choices: {
		all: ['All Records', 'Return every record once, at most 1,000 per poll'],
		date: ['Date', 'Return records changed since a date'],
		now: ['Now', 'Return records changed after the workflow is published'],
	},
	default: 'now',
	description: 'Records to start with. Each later poll returns changes.',
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

/**
 * The Last Update Date to start from, in the format of the service. Empty for all records, undefined for now. Parsing throws
 * InputError for a wrong date, and for all records without the event CREATE.
 */
export const startTime: Parameter<string | undefined, SheetContext> = {
	properties: [...startChoice.properties, ...startDate.properties],
	parse(item) {
		const choice = startChoice.parse(item);
		if (choice === 'all' && !selectedEvents.parse(item).includes('CREATE')) {
			throw new InputError(
				"'Start From' is All Records, which are returned as created, but 'Trigger On' does not include Record Created",
				"Add Record Created, or set 'Start From' to Now or Date.",
			);
		}
		if (choice === 'all') return '';
		if (choice === 'now') return undefined;
		const date = item.value('startDate');
		const iso = typeof date === 'string' ? (fromServiceDate(date.trim()) ?? date) : date;
		const time = toServiceDate(iso, item.timeZone(), 'dateTime');
		if (time !== undefined) return time;
		throw misfit(date, 'Start Date', 'not a date', 'Choose a date, or check its expression.');
	},
};

/** Parameters for the content of items, and for how often the node checks for deleted records. */
export const outputParameters = {
	simplify: simplifyParameter,
	options: optionsCollection(
		{
			...fieldOptions,
			...formOptions,
			ignoreMask: flags.ignoreMask,
			ignoreFixedFilter: listFlags.ignoreFixedFilter,
			form: outputOption,
			sharedViewId,
			deletionCheckEvery: mapped(optional(deletionCheck), (polls = defaultCheckEvery) => polls),
			version: versionOption,
		},
		firstReadingOptions,
	),
};

export const pollingProperties: INodeProperties[] = [
	...authenticationParameter.properties,
	...selectedEvents.properties,
	{ ...sheetProperty, description: 'Sheet whose changes start the workflow' },
	...conditionsParameter.properties,
	...watchedFields.properties,
	...startTime.properties,
	...propertiesOf(outputParameters),
];
