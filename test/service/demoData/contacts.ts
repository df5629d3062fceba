import type { SheetDefinition } from '../data/sheet';
import { cityName, dayText, personName, pick } from './words';

/** 20 contacts, record ids 1 to 20. The schema tells the choices of their selections, whatever the switch says. */
export const contacts = {
	path: 'marketing/contacts',
	folderName: 'Marketing',
	index: 12,
	name: 'Contacts',
	fields: {
		/** Required. The key field and the title. */
		name: '1820001',
		/** One of three languages. */
		language: '1820002',
		/** Any of four interests; one of them holds a comma. */
		interests: '1820003',
		/** A user of the account, by e-mail or full name. */
		contactPerson: '1820004',
		metOn: '1820005',
		city: '1820006',
	},
	languages: ['English', 'Deutsch', 'Français'],
	interests: ['Bikes', 'Books, old and new', 'Coffee', 'Travel'],
} as const;

const { fields, languages, interests } = contacts;

export const contactsSheet: SheetDefinition = {
	...contacts,
	keyFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	tellsChoices: true,
	fields: [
		{ id: fields.name, name: 'Name', type: 'text', required: true, onListing: true },
		{
			id: fields.language,
			name: 'Language',
			type: 'singleSelection',
			choices: [...languages],
			onListing: true,
		},
		{
			id: fields.interests,
			name: 'Interests',
			type: 'multipleSelection',
			choices: [...interests],
		},
		{ id: fields.contactPerson, name: 'Contact Person', type: 'user' },
		{ id: fields.metOn, name: 'Met On', type: 'date' },
		{ id: fields.city, name: 'City', type: 'text' },
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 20; counter += 1) {
			const at = Date.UTC(2024, 5, 3, 7) + counter * 60 * 60 * 1000;
			sheet
				.add({ at, user: 'ada.admin@acme.example' }, counter)
				.set(fields.name, `${personName(counter)} ${counter}`)
				.set(fields.language, counter % 4 === 0 ? '' : pick(languages, counter))
				.set(fields.interests, interests.slice(counter % 3, (counter % 3) + (counter % 4)))
				.set(
					fields.contactPerson,
					counter % 2 === 0 ? `user${1 + (counter % 12)}@internal.example` : '',
				)
				.set(fields.metOn, dayText(500 + counter))
				.set(fields.city, cityName(counter));
		}
	},
};
