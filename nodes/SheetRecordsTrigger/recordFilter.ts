import type { JsonObject } from '../api/json/orderedJson';
import {
	fieldsTooLongForRegex,
	matchConditions,
	maxRegexCharacters,
	maxRegexSteps,
	type LocalCondition,
	type LocalMatch,
} from '../api/webhooks/localFilter';
import type { DeliveredRecord } from '../api/webhooks/delivery';
import { inEnglish } from '../api/values/text';

/** Maximum number of steps for the regular expressions of a delivery. The sender determines the texts. */
const maxDeliveryRegexSteps = 50_000_000;
/** Number of steps after which the event loop gets a turn. They take about 20 ms. */
const regexStepsPerTurn = 100_000;

/** The filters of a node, for the records of one delivery. */
export class RecordFilter {
	private stepsLeft = maxDeliveryRegexSteps;
	private stepsOfTurn = 0;

	constructor(private readonly where: readonly LocalCondition[]) {}

	/** Returns whether a record matches. A record without content always does. */
	match({ content }: DeliveredRecord): LocalMatch {
		if (!content) return { isMatch: true, slowFields: [], steps: 0 };
		const match = matchConditions(content, this.where, Math.min(maxRegexSteps, this.stepsLeft));
		this.stepsLeft -= match.steps;
		this.stepsOfTurn += match.steps;
		return match;
	}

	/** Returns whether the event loop must get a turn now. If so, the next turn begins. */
	endsTurn(): boolean {
		if (this.stepsOfTurn < regexStepsPerTurn) return false;
		this.stepsOfTurn = 0;
		return true;
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
		];
	}
}
