import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { codeSpans, problemsOf, rowsOf } from '../coverage/problems';
import { offeredOperations } from '../engine/operations';
import { packageTypes } from '../engine/runner';

/** What the API has, by the sections of the page: each must be named in the first cell of a row. */
const inventory: Record<string, string | string[]> = {
	Endpoints: '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15',
	'Endpoints beyond the published API':
		'metadata/schema def children webhookSubscribe.jsp webhookUnsubscribe.jsp webhooks.jsp fetchDomainIds',
	'Requests and addresses': 'https api {base_url} {account} {path}/{sheet_index} {record_id}',
	'Parameters of lists':
		'where fts filterId defaultFilter limit offset order reverse naming EID FNAME subtables listing info ' +
		'conversation approval comment bbcode history ignoreMask ignoreFixedFilter tz callback taskId version v',
	'Filter rules':
		'eq regex gte lte gt lt like eqeq lk range yyyy/MM/dd <field>,<operator>, %2C %25 OR gte…lte AND',
	'System fields': '105 106 108 109 110 111 112',
	'Parameters of one record':
		'subtables naming info ignoreMask bbcode comment history approval conversation tz callback version v',
	'Parameters of writes':
		'doFormula doDefaultValue doLinkLoad true first false doWorkflow doValidation notification checkLock info tz version v callback',
	'Values of writes': '_subtable_<id> _DELSUB_<id> DELSUB_<id> <file> POST PUT PATCH',
	'Documents and files':
		'.xhtml .pdf .xlsx .custom cid .customprint fileFormat pdf png docx svcCustomPrintTemplateId fileNameRefDomainId a f',
	'Other parameters': 'c at importData lock unlock category bId u p login_type json type=string',
	'Mass operations':
		'where recordId massLock lock unlock massApproval comment massActionButton buttonId massUpdate field value massSearchReplace valueReplaced valueNew taskId SYSAdmin x-',
	Answers:
		'{} _svcId _star _index_title_ _create_date _create_user _update_date _update_user _seq status rv svcId msg warning data code 61 65 66 67 73 Time Type Sheet User Detail actionButtons sid accounts email account external groups',
	Tasks:
		'RUNNING COMPLETED FAILED NOT_STARTED PROCESSING DONE id ap taskName status progress total processed success fail message',
	'Locks and approval': 'unlocked locked checkLock approve reject',
	'Identity and rights': 'Basic APIKey sid Cookie 401 -1',
	Events: [
		...words('CREATE UPDATE DELETE data apname path sheetIndex eventType signature SHA256withRSA'),
		...['(mass create)', '(list page)', '(delay)', '(related sheets)', '(receiver)', '[<id>, …]'],
	],
	'HTTP statuses': '200 400 401 402 404 500 502 503 504',
	'Error codes':
		'101 102 103 104 105 106 107 108 109 201 202 203 204 301 302 303 304 402 404 errorCode INVALID',
	Limits: '5/s 50 1 1000',
	Versions: '2025-01-01 v=1 v=2 v=3',
	'Spellings of the deployed service': '_ragicId ragicId .carbone ragicCustomPrintTemplateId',
	'Left open by the API': [
		...['default naming', 'types of fields', 'approval, conversation', 'approval states'],
		...['task transitions', 'empty selection', 'codes and statuses', 'which code', 'full queue'],
		...['session lifetime', 'scopes of keys', 'revocation of keys', 'headers of documents'],
		...['deliveries', 'encoding of signatures', 'events of API writes'],
		...['largest limit', 'largest upload', 'largest mass operation'],
	],
};

function words(text: string): string[] {
	return text.split(' ');
}

const page = readFileSync(join(__dirname, '../coverage/specification.md'), 'utf8');
const rows = rowsOf(page);

/** The operations that a place names, as `resource.operation`. */
function operationsIn(span: string): string[] {
	const [, resource, operations = ''] = /^(\w+)\.([\w,]+)/.exec(span) ?? [];
	return operations.split(',').map((operation) => `${resource}.${operation}`);
}

describe('the coverage of the API', () => {
	it.each(Object.entries(inventory))('has all rows of the section %s', (section, keys) => {
		const known = rows.filter((row) => row.section === section).flatMap((row) => row.keys);
		const expected = typeof keys === 'string' ? words(keys) : keys;
		expect(expected.filter((key) => !known.includes(key))).toEqual([]);
	});

	it('has a row with each operation of the node', async () => {
		const named = new Set(rows.flatMap(({ place }) => codeSpans(place).flatMap(operationsIn)));
		const offered = (await offeredOperations()).map(
			({ resource, operation }) => `${resource.value}.${operation.value}`,
		);
		expect(offered.filter((operation) => !named.has(operation))).toEqual([]);
	});

	it('says of each row where it is in the node and which test shows it', async () => {
		const types = await packageTypes();
		expect(rows.flatMap((row) => problemsOf(row, types))).toEqual([]);
	});
});
