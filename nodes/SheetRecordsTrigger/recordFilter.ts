import type { JsonObject } from '../api/json/orderedJson';
import {
	fieldsTooLongForRegex,
	matchConditions,
	maxRegexCharacters,
	maxRegexSteps,
	type LocalCondition,
	type LocalMatch,
} from '../api/webhooks/localFilter';
import { holdsFieldIds } from '../api/sheet/fieldNames';
import type { DeliveredRecord } from '../api/webhooks/delivery';
import { inEnglish } from '../api/values/text';

/** Maximum number of steps for the regular expressions of a delivery. The sender determines the texts. */
const maxDeliveryRegexSteps = 50_000_000;

const withoutFields =
	"The delivered record has no field IDs, so 'Filters' was not applied to it and it counts as matching.";

/** The filters of a node, for the records of one delivery. */
export class RecordFilter {
	private stepsLeft = maxDeliveryRegexSteps;

	constructor(private readonly where: readonly LocalCondition[]) {}

	/** Returns whether a record matches. A record without content always does, and one without field IDs, such as a mere record ID. */
	match({ content }: DeliveredRecord): LocalMatch {
		if (!content || !holdsFieldIds(content)) return { isMatch: true, slowFields: [], steps: 0 };
		const match = matchConditions(content, this.where, Math.min(maxRegexSteps, this.stepsLeft));
		this.stepsLeft -= match.steps;
		return match;
	}

	/** Returns the warnings of a record that matches. */
	warnings(content: JsonObject, { slowFields }: LocalMatch): string[] {
		const maxText = inEnglish(maxRegexCharacters);
		const result =
			"so the regular expression in 'Filters' was not applied to it and it counts as matching.";
		return [
			...fieldsTooLongForRegex(content, this.where).map(
				(name) => `'${name}' has more than ${maxText} characters, ${result}`,
			),
			...slowFields.map((name) => `'${name}' takes too many steps, ${result}`),
			...(this.where.length === 0 || holdsFieldIds(content) ? [] : [withoutFields]),
		];
	}
}
