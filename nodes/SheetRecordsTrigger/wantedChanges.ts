import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../api/json/objects';
import type { WhereCondition } from '../api/read/query';
import { systemFields } from '../api/schema/fields';
import { InputError } from '../api/values/inputError';
import type { LocalCondition } from '../api/webhooks/localFilter';
import { readConditions, readFilters } from '../shared/parameters/filters';
import { schemaOf } from '../shared/parameters/sheet';
import { watchedFields, watchedKeys } from '../shared/trigger';
import type { SetUp } from './triggerParameters';

/** Which changes start the workflow, beside their events: by field ids, which a delivery has. */
export interface WantedChanges {
	where: LocalCondition[];
	watched: string[];
	/** Why these could not be found out. */
	trouble?: string;
}

/**
 * Returns which changes are wanted, as was found out on activation: a delivery must not wait for a busy service. Throws
 * InputError for unknown fields and for conditions that say nothing of a delivery, and ServiceError.
 */
export async function wantedChanges(setUp: SetUp, staticData: IDataObject): Promise<WantedChanges> {
	const filters = readFilters(setUp);
	const fields = watchedFields.parse(setUp);
	if (filters.length === 0 && fields.length === 0) return { where: [], watched: [] };
	const { events } = setUp.settings;
	const { baseUrl, account } = setUp.client.connection;
	const given = JSON.stringify([baseUrl, account, setUp.sheet, filters, fields, events]);
	const kept = staticData.wanted;
	if (isObject(kept) && kept.given === given) return JSON.parse(String(kept.changes));
	const watched = (await watchedKeys(setUp, events, 'EID')) ?? [];
	const where: LocalCondition[] = [];
	for (const condition of await readConditions(setUp, setUp.clock())) {
		where.push(await localCondition(setUp, condition));
	}
	staticData.wanted = { given, changes: JSON.stringify({ where, watched }) };
	return { where, watched };
}

async function localCondition(setUp: SetUp, condition: WhereCondition): Promise<LocalCondition> {
	const { fieldId, operator, value } = condition;
	const schema = schemaOf(setUp);
	const isSystem = systemFields.some((field) => field.fieldId === fieldId);
	if (isSystem || operator === 'eqeq' || (operator === 'regex' && !isRegex(value))) {
		const name = await schema.nameFor(fieldId);
		throw new InputError(
			`The condition on '${name}' in 'Filters' cannot be compared with what a delivery holds`,
			"Remove it, and filter the items with n8n's Filter node, or use Sheet Records Polling Trigger.",
		);
	}
	const field = (await schema.fields()).find((known) => known.fieldId === fieldId);
	return { ...condition, type: field?.type };
}

function isRegex(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}
