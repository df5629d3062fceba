import { findField, type Field } from '../../api/schema/fields';
import { isObject } from '../../api/json/objects';

/**
 * What a workflow has saved of its mapper. n8n drops the values of keys that are not those of a listed field,
 * so a field keeps the key under which it was saved: its ID alone, its name, or a name that it had once.
 */
export class SavedMapping {
	private readonly keys = new Map<string, string>();
	private readonly values: Readonly<Record<string, unknown>>;

	/**
	 * @param saved as the editor keeps it; nothing where it cannot tell
	 * @param fields those that can be meant
	 */
	constructor(saved: unknown, fields: readonly Field[]) {
		const { value, matchingColumns } = isObject(saved) ? saved : {};
		this.values = isObject(value) ? value : {};
		const columns: unknown[] = Array.isArray(matchingColumns) ? matchingColumns : [];
		for (const key of [...Object.keys(this.values), ...columns]) {
			const field = typeof key === 'string' ? fieldOf(key, fields) : undefined;
			if (typeof key === 'string' && field && !this.keys.has(field.fieldId))
				this.keys.set(field.fieldId, key);
		}
	}

	keyOf({ fieldId }: Field): string | undefined {
		return this.keys.get(fieldId);
	}

	/** What was saved for the field: a value, or an expression. */
	valueOf(field: Field): unknown {
		return this.values[this.keyOf(field) ?? ''];
	}

	maps(field: Field): boolean {
		return (this.keyOf(field) ?? '') in this.values;
	}
}

function fieldOf(key: string, fields: readonly Field[]): Field | undefined {
	try {
		return findField(fields, key, fields[0]?.subtableId);
	} catch {
		return undefined;
	}
}
