import type { Sheet, SheetDefinition } from '../data/sheet';
import { administrators } from '../identities';
import { fieldTable, fillHourly } from './fieldTable';
import { personName } from './words';

const table = fieldTable({
	email: ['1', 'E-mail', 'email', { required: true, onListing: true }],
	/** A mass update takes a text with a JSON array. */
	groups: ['3', 'Groups', 'multipleSelection', { onListing: true }],
	fullName: ['4', 'Full Name', 'text', { onListing: true }],
	systemLog: ['10', 'System Log', 'text', { readOnly: true }],
	status: ['31', 'Status', 'singleSelection', { choices: ['Active', 'Suspended'] }],
	kind: ['43', 'Internal/External', 'text'],
	/** Not a fixed field, so it may be changed. */
	department: ['1700001', 'Department', 'text'],
});
const { ids: fields } = table;
const address = { path: 'system/users', folderName: 'System', fields };

/** 12 users of the account, for SYSAdmin only. Records 1 and 2 are in the group SYSAdmin. */
export const internalUsers = { ...address, index: 1, name: 'Internal Users' };

/** 8 external users, whose group names start with `x-`. */
export const externalUsers = { ...address, index: 2, name: 'External Users' };

const common = {
	keyFieldId: fields.email,
	titleFieldId: fields.fullName,
	rights: {},
	fields: table.fields,
};

export const internalUsersSheet: SheetDefinition = {
	...internalUsers,
	...common,
	users: 'internal',
	fill: (sheet) =>
		fillUsers(sheet, 12, 'Internal', (counter) => [counter <= 2 ? administrators : 'Sales']),
};

export const externalUsersSheet: SheetDefinition = {
	...externalUsers,
	...common,
	users: 'external',
	fill: (sheet) => fillUsers(sheet, 8, 'External', () => ['x-customers']),
};

function fillUsers(
	sheet: Sheet,
	count: number,
	kind: string,
	groupsOf: (counter: number) => string[],
): void {
	fillHourly(sheet, count, Date.UTC(2020, 5, 1, 9), (counter) => ({
		[fields.email]: `user${counter}@${kind.toLowerCase()}.example`,
		[fields.groups]: groupsOf(counter),
		[fields.fullName]: personName(counter),
		[fields.systemLog]: 'Created',
		[fields.status]: 'Active',
		[fields.kind]: kind,
		[fields.department]: counter % 2 === 0 ? 'North' : 'South',
	}));
}
