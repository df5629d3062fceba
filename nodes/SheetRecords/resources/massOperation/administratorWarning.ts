import type { Client } from '../../../api/http/client';
import { listPages } from '../../../api/read/pages';
import { plainReading } from '../../../api/read/readOptions';
import type { RecordSelection } from '../../../api/read/recordSelection';
import { fallbackTo } from '../../../api/http/serviceError';
import type { SheetAddress } from '../../../api/values/sheetAddress';
import { administratorsGroup, groupsFieldId } from '../../../api/account/userSheet';
import type { WhereCondition } from '../../../api/read/where';

const reading = plainReading('EID');

/**
 * A warning when an operation that takes the group of administrators from internal users would take it
 * from every one who has it; an account must keep one (specification, endpoint 13).
 *
 * @returns undefined when somebody keeps it, or when the service does not let it be known
 */
export async function administratorWarning(
	client: Client,
	sheet: SheetAddress,
	selection: RecordSelection,
): Promise<string | undefined> {
	const where = [{ fieldId: groupsFieldId, operator: 'like', value: administratorsGroup }];
	const known = await Promise.all([
		recordIds(client, sheet, where),
		selection.kind === 'records'
			? new Set(selection.recordIds)
			: recordIds(client, sheet, selection.where),
	]).catch(fallbackTo(undefined));
	if (!known) return undefined;
	const [administrators, selected] = known;
	const losesAll = administrators.size > 0 && [...administrators].every((id) => selected.has(id));
	return losesAll
		? `No user would be left in the group ${administratorsGroup}: every user who has it is selected`
		: undefined;
}

async function recordIds(
	client: Client,
	sheet: SheetAddress,
	where: readonly WhereCondition[],
): Promise<Set<string>> {
	const ids = new Set<string>();
	for await (const page of listPages(client, { sheet, where, reading }, Infinity, 0)) {
		for (const { id } of page) ids.add(id);
	}
	return ids;
}
