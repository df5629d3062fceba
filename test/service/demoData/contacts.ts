import type { SheetDefinition } from '../data/sheet';
import { fieldTable, fillHourly } from './fieldTable';
import { cityName, dayText, personName, pick } from './words';

const languages = ['English', 'Deutsch', 'Français'];
/** One choice contains a comma. */
const interests = ['Bikes', 'Books, old and new', 'Coffee', 'Travel'];

const table = fieldTable({
	name: ['1820001', 'Name', 'text', { required: true, onListing: true }],
	language: ['1820002', 'Language', 'singleSelection', { choices: languages, onListing: true }],
	interests: ['1820003', 'Interests', 'multipleSelection', { choices: interests }],
	contactPerson: ['1820004', 'Contact Person', 'user'],
	metOn: ['1820005', 'Met On', 'date'],
	city: ['1820006', 'City', 'text'],
});

/** 20 contacts, record IDs 1 to 20. The schema always contains the choices of their selections. */
export const contacts = {
	path: 'marketing/contacts',
	folderName: 'Marketing',
	index: 12,
	name: 'Contacts',
	fields: table.ids,
	languages,
	interests,
};

const { fields } = contacts;

export const contactsSheet: SheetDefinition = {
	...contacts,
	fields: table.fields,
	keyFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	tellsChoices: true,
	fill: (sheet) =>
		fillHourly(sheet, 20, Date.UTC(2024, 5, 3, 7), (counter) => ({
			[fields.name]: `${personName(counter)} ${counter}`,
			[fields.language]: counter % 4 === 0 ? '' : pick(languages, counter),
			[fields.interests]: interests.slice(counter % 3, (counter % 3) + (counter % 4)),
			[fields.contactPerson]: counter % 2 === 0 ? `user${1 + (counter % 12)}@internal.example` : '',
			[fields.metOn]: dayText(500 + counter),
			[fields.city]: cityName(counter),
		})),
};
