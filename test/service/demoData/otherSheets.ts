import type { SheetDefinition } from '../data/sheet';
import { fieldTable, fillHourly } from './fieldTable';
import { dayText, personName, pick } from './words';

const rights = { Sales: 'write', Readers: 'read' } as const;
const begun = Date.UTC(2024, 2, 1, 7);

const invoiceFields = fieldTable({
	invoiceNumber: ['1200001', 'Invoice Number', 'text', { onListing: true }],
	status: [
		'1200002',
		'Status',
		'singleSelection',
		{ choices: ['Draft', 'Posted'], onListing: true },
	],
	amount: ['1200003', 'Amount', 'number'],
});

/** 150 invoices. A fixed filter returns only the 100 posted ones. */
export const invoices = {
	path: 'sales/invoices',
	folderName: 'Sales',
	index: 3,
	name: 'Invoices',
	fields: invoiceFields.ids,
};

export const invoicesSheet: SheetDefinition = {
	...invoices,
	fields: invoiceFields.fields,
	keyFieldId: invoices.fields.invoiceNumber,
	rights,
	fixedFilter: [{ fieldId: invoices.fields.status, operator: 'eq', value: 'Posted' }],
	fill: (sheet) =>
		fillHourly(sheet, 150, begun, (counter) => ({
			[invoices.fields.invoiceNumber]: `INV-${1000 + counter}`,
			[invoices.fields.status]: counter % 3 === 0 ? 'Draft' : 'Posted',
			[invoices.fields.amount]: (counter * 12.35).toFixed(2),
		})),
};

const salaryFields = fieldTable({
	person: ['1300001', 'Person', 'text', { onListing: true }],
	salary: ['1300002', 'Salary', 'number'],
});

/** A sheet for SYSAdmin only. */
export const salaries = {
	path: 'private/salaries',
	folderName: 'Private',
	index: 4,
	name: 'Salaries',
	fields: salaryFields.ids,
};

export const salariesSheet: SheetDefinition = {
	...salaries,
	fields: salaryFields.fields,
	keyFieldId: salaries.fields.person,
	rights: {},
	fill: (sheet) =>
		fillHourly(sheet, 5, begun, (counter) => ({
			[salaries.fields.person]: personName(counter),
			[salaries.fields.salary]: String(40_000 + counter * 1500),
		})),
};

const recipeFields = fieldTable({
	title: ['1400001', 'Titel', 'text', { required: true, onListing: true }],
	servings: ['1400002', 'Portionen', 'number'],
	instructions: ['1400003', 'Zubereitung', 'richText'],
	photos: ['1400004', 'Fotos', 'file'],
});

/** The folder names must be encoded. Record IDs start at 0. */
export const recipes = {
	path: 'küche/é t é',
	folderName: 'Küche',
	index: 5,
	name: 'Rezepte für den Sommer',
	fields: recipeFields.ids,
};

export const recipesSheet: SheetDefinition = {
	...recipes,
	fields: recipeFields.fields,
	keyFieldId: recipes.fields.title,
	rights,
	fill: (sheet) => {
		const titles = ['Gazpacho', 'Grüne Soße', 'Crème brûlée', '冷やし中華'];
		for (const [counter, title] of titles.entries()) {
			sheet
				.add({ at: begun + counter * 60 * 60 * 1000, user: 'ada.admin@acme.example' }, counter)
				.set(recipes.fields.title, title)
				.set(recipes.fields.servings, String(2 + counter))
				.set(recipes.fields.instructions, '[i]Kalt[/i] servieren');
		}
	},
};

const taskFields = fieldTable({
	title: ['1500001', 'Title', 'text', { required: true, onListing: true }],
	dueDate: ['1500002', 'Due Date', 'date', { onListing: true }],
	done: ['1500003', 'Done', 'checkbox', { defaultValue: 'No' }],
	assignee: ['1500004', 'Assignee', 'text'],
});

export const tasks = {
	path: 'archive/2024/tasks',
	folderName: 'Archive 2024',
	index: 7,
	name: 'Tasks',
	fields: taskFields.ids,
};

export const tasksSheet: SheetDefinition = {
	...tasks,
	fields: taskFields.fields,
	keyFieldId: tasks.fields.title,
	rights,
	fill: (sheet) => {
		const verbs = ['Call', 'Invoice', 'Visit', 'Remind'];
		fillHourly(sheet, 40, begun, (counter) => ({
			[tasks.fields.title]: `${pick(verbs, counter)} ${personName(counter)} (${counter})`,
			[tasks.fields.dueDate]: dayText(365 + counter),
			[tasks.fields.done]: counter % 2 === 0 ? 'Yes' : 'No',
			[tasks.fields.assignee]: counter % 5 === 0 ? '' : personName(counter * 3),
		}));
	},
};

const emptyFields = fieldTable({
	title: ['1600001', 'Title', 'text', { onListing: true }],
	amount: ['1600002', 'Amount', 'number'],
});

/** A sheet without records. The first record gets the ID 0. */
export const empty = {
	path: 'sales/empty',
	folderName: 'Sales',
	index: 9,
	name: 'Empty',
	fields: emptyFields.ids,
};

export const emptySheet: SheetDefinition = {
	...empty,
	fields: emptyFields.fields,
	keyFieldId: empty.fields.title,
	rights,
};
