import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { plain } from '../read/record';

/** A button of a sheet that can be pressed on its records (specification, "Action button"). */
export interface ActionButton {
	buttonId: string;
	name: string;
}

/**
 * The buttons of an answer in either shape, a bare array or `actionButtons`; an empty object is an empty
 * list, as it is of records. Undefined for any other.
 */
export function actionButtonsOf(value: JsonValue): ActionButton[] | undefined {
	if (isJsonObject(value) && value.size === 0) return [];
	const buttons = isJsonObject(value) ? value.get('actionButtons') : value;
	if (!Array.isArray(buttons)) return undefined;
	return buttons.filter(isJsonObject).flatMap((button) => {
		const id = button.get('id');
		if (typeof id !== 'string' && typeof id !== 'number') return [];
		return [{ buttonId: String(id), name: String(plain(button.get('name') ?? id)) }];
	});
}
