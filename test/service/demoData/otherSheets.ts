import type { Sheet, SheetDefinition } from '../data/sheet';
import { empty, invoices, recipes, salaries, tasks } from './identifiers';
import { dayText, personName, pick } from './words';

const user = 'ada.admin@acme.example';
const hour = 60 * 60 * 1000;

function created(counter: number): { at: number; user: string } {
	return { at: Date.UTC(2024, 2, 1, 7) + counter * hour, user };
}

export const invoicesSheet: SheetDefinition = {
	...invoices,
	keyFieldId: invoices.fields.invoiceNumber,
	rights: { Sales: 'write', Readers: 'read' },
	fixedFilter: [{ fieldId: invoices.fields.status, operator: 'eq', value: 'Posted' }],
	fields: [
		{ id: invoices.fields.invoiceNumber, name: 'Invoice Number', type: 'text', onListing: true },
		{
			id: invoices.fields.status,
			name: 'Status',
			type: 'singleSelection',
			choices: ['Draft', 'Posted'],
			onListing: true,
		},
		{ id: invoices.fields.amount, name: 'Amount', type: 'number' },
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 150; counter += 1) {
			sheet
				.add(created(counter), counter)
				.set(invoices.fields.invoiceNumber, `INV-${1000 + counter}`)
				.set(invoices.fields.status, counter % 3 === 0 ? 'Draft' : 'Posted')
				.set(invoices.fields.amount, (counter * 12.35).toFixed(2));
		}
	},
};

export const salariesSheet: SheetDefinition = {
	...salaries,
	keyFieldId: salaries.fields.person,
	rights: {},
	fields: [
		{ id: salaries.fields.person, name: 'Person', type: 'text', onListing: true },
		{ id: salaries.fields.salary, name: 'Salary', type: 'number' },
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 5; counter += 1) {
			sheet
				.add(created(counter), counter)
				.set(salaries.fields.person, personName(counter))
				.set(salaries.fields.salary, String(40_000 + counter * 1500));
		}
	},
};

export const recipesSheet: SheetDefinition = {
	...recipes,
	keyFieldId: recipes.fields.title,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{ id: recipes.fields.title, name: 'Titel', type: 'text', required: true, onListing: true },
		{ id: recipes.fields.servings, name: 'Portionen', type: 'number' },
		{ id: recipes.fields.instructions, name: 'Zubereitung', type: 'richText' },
		{ id: recipes.fields.photos, name: 'Fotos', type: 'file' },
	],
	fill: (sheet) => fillRecipes(sheet),
};

function fillRecipes(sheet: Sheet): void {
	const titles = ['Gazpacho', 'Grüne Soße', 'Crème brûlée', '冷やし中華'];
	for (const [counter, title] of titles.entries()) {
		sheet
			.add(created(counter), counter)
			.set(recipes.fields.title, title)
			.set(recipes.fields.servings, String(2 + counter))
			.set(recipes.fields.instructions, '[i]Kalt[/i] servieren');
	}
}

export const tasksSheet: SheetDefinition = {
	...tasks,
	keyFieldId: tasks.fields.title,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{ id: tasks.fields.title, name: 'Title', type: 'text', required: true, onListing: true },
		{ id: tasks.fields.dueDate, name: 'Due Date', type: 'date', onListing: true },
		{ id: tasks.fields.done, name: 'Done', type: 'checkbox', defaultValue: 'No' },
		{ id: tasks.fields.assignee, name: 'Assignee', type: 'text' },
	],
	fill: (sheet) => {
		const verbs = ['Call', 'Invoice', 'Visit', 'Remind'];
		for (let counter = 1; counter <= 40; counter += 1) {
			sheet
				.add(created(counter), counter)
				.set(tasks.fields.title, `${pick(verbs, counter)} ${personName(counter)} (${counter})`)
				.set(tasks.fields.dueDate, dayText(365 + counter))
				.set(tasks.fields.done, counter % 2 === 0 ? 'Yes' : 'No')
				.set(tasks.fields.assignee, counter % 5 === 0 ? '' : personName(counter * 3));
		}
	},
};

export const emptySheet: SheetDefinition = {
	...empty,
	keyFieldId: empty.fields.title,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{ id: empty.fields.title, name: 'Title', type: 'text', onListing: true },
		{ id: empty.fields.amount, name: 'Amount', type: 'number' },
	],
};
