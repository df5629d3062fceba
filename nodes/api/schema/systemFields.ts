import type { Field } from './fields';

/** The fields that every sheet has, usable in filters (specification, "System fields"). */
export const systemFields: readonly Field[] = [
	{ fieldId: '105', name: 'Create Date', type: 'dateTime' },
	{ fieldId: '106', name: 'Entry Manager' },
	{ fieldId: '108', name: 'Create User' },
	{ fieldId: '109', name: 'Last Update Date', type: 'dateTime' },
	{ fieldId: '110', name: 'Notify User' },
	{ fieldId: '111', name: 'If Locked' },
	{ fieldId: '112', name: 'If Starred' },
];

/** Whether the field is a date that the service itself keeps. */
export function isSystemDateField(fieldId: string): boolean {
	return fieldId === '105' || fieldId === '109';
}
