import type { Field } from '../data/field';
import type { Sheet, SheetDefinition } from '../data/sheet';
import { administrators } from '../identities';
import { externalUsers, internalUsers } from './identifiers';
import { personName } from './words';

const { fields } = internalUsers;

const userFields: Field[] = [
	{ id: fields.email, name: 'E-mail', type: 'email', required: true, onListing: true },
	{ id: fields.groups, name: 'Groups', type: 'multipleSelection', onListing: true },
	{ id: fields.fullName, name: 'Full Name', type: 'text', onListing: true },
	{ id: fields.systemLog, name: 'System Log', type: 'text', readOnly: true },
	{ id: fields.status, name: 'Status', type: 'singleSelection', choices: ['Active', 'Suspended'] },
	{ id: fields.kind, name: 'Internal/External', type: 'text' },
	{ id: fields.department, name: 'Department', type: 'text' },
];

export const internalUsersSheet: SheetDefinition = {
	...internalUsers,
	users: 'internal',
	keyFieldId: fields.email,
	titleFieldId: fields.fullName,
	rights: {},
	fields: userFields,
	fill: (sheet) =>
		fillUsers(sheet, 12, 'Internal', (counter) => [counter <= 2 ? administrators : 'Sales']),
};

export const externalUsersSheet: SheetDefinition = {
	...externalUsers,
	users: 'external',
	keyFieldId: fields.email,
	titleFieldId: fields.fullName,
	rights: {},
	fields: userFields,
	fill: (sheet) => fillUsers(sheet, 8, 'External', () => ['x-customers']),
};

function fillUsers(
	sheet: Sheet,
	count: number,
	kind: string,
	groupsOf: (counter: number) => string[],
): void {
	for (let counter = 1; counter <= count; counter += 1) {
		const at = Date.UTC(2020, 5, 1, 9) + counter * 60 * 60 * 1000;
		sheet
			.add({ at, user: 'ada.admin@acme.example' }, counter)
			.set(fields.email, `user${counter}@${kind.toLowerCase()}.example`)
			.set(fields.groups, groupsOf(counter))
			.set(fields.fullName, personName(counter))
			.set(fields.systemLog, 'Created')
			.set(fields.status, 'Active')
			.set(fields.kind, kind)
			.set(fields.department, counter % 2 === 0 ? 'North' : 'South');
	}
}
