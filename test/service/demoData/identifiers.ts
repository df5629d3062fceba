/**
 * The names of everything in the demo data, so that tests read like sentences. All ids are texts.
 */

export const accountName = 'acme';

/** 2,500 orders, record ids 1 to 2,500, not created in the order of their ids everywhere. */
export const orders = {
	path: 'sales/orders',
	folderName: 'Sales',
	index: 1,
	name: 'Orders',
	fields: {
		/** Automatic: `SO-00001` … in order of creation. The key field and the title. */
		orderNumber: '1000001',
		/** Required; links to the customers' key. */
		customerNumber: '1000002',
		/** Loaded from the customer. */
		customerName: '1000003',
		city: '1000004',
		/** An id that sorts before the others as a number and behind them as a text. */
		reference: '512',
		orderDate: '1000005',
		deliveryTime: '1000006',
		status: '1000007',
		tags: '1000008',
		/** Computed: the sum of the amounts of the order lines. */
		total: '1000009',
		express: '1000010',
		remark: '1000011',
		/** Two fields with the name `Note`: by name the second is `Note2`. */
		note: '1000012',
		secondNote: '1000013',
		/** Masked text; SYSAdmin and Finance may see it. */
		internalMargin: '1000014',
		contract: '1000015',
		description: '1000016',
		/** Written by the workflow script. */
		workflowStamp: '1000017',
		/** Computed: customer name and city. */
		shippingLabel: '1000018',
		/** Hidden. Tests take its name away: `unname`. */
		unnamed: '1000019',
	},
	subtables: {
		lines: {
			id: '2000001',
			name: 'Order Lines',
			fields: {
				article: '3000001',
				quantity: '3000002',
				unitPrice: '3000003',
				/** Computed: quantity × unit price. */
				amount: '3000004',
			},
		},
	},
	/** A shared view: status is Open. */
	views: { open: '77' },
	/** Documents other than the plain ones are made from a template of the sheet. */
	templates: { mailMerge: '3', customPrint: '12' },
	buttons: {
		/** Status becomes Shipped and the stamp names the user; refused on cancelled orders. */
		ship: '4',
		/** Status becomes Cancelled; answers no message. */
		cancel: '11',
		/** Empties the margin; only SYSAdmin and Finance may press it. */
		clearMargin: '27',
	},
} as const;

/** 300 customers, record ids 1 to 300. */
export const customers = {
	path: 'sales/customers',
	folderName: 'Sales',
	index: 2,
	name: 'Customers',
	fields: {
		/** Required: `C-0001` … `C-0300`. The key field. */
		customerNumber: '1100001',
		/** Required. The title. */
		name: '1100002',
		city: '1100003',
		email: '1100004',
		since: '1100005',
		/** Some are numbers of twenty digits. */
		creditLimit: '1100006',
		categories: '1100007',
	},
	/** Sets the categories to Public; its number is also that of a button of the orders. */
	buttons: { makePublic: '4' },
	/** Where the import reads from; it is turned off at first. */
	importUrl: 'https://exports.example/customers.json',
} as const;

/** 150 invoices; a fixed filter shows only the 100 that are Posted. */
export const invoices = {
	path: 'sales/invoices',
	folderName: 'Sales',
	index: 3,
	name: 'Invoices',
	fields: { invoiceNumber: '1200001', status: '1200002', amount: '1200003' },
} as const;

/** A sheet that only SYSAdmin may see. */
export const salaries = {
	path: 'private/salaries',
	folderName: 'Private',
	index: 4,
	name: 'Salaries',
	fields: { person: '1300001', salary: '1300002' },
} as const;

/** Folder names that must be encoded; record ids begin with 0. */
export const recipes = {
	path: 'küche/é t é',
	folderName: 'Küche',
	index: 5,
	name: 'Rezepte für den Sommer',
	fields: { title: '1400001', servings: '1400002', instructions: '1400003', photos: '1400004' },
} as const;

export const tasks = {
	path: 'archive/2024/tasks',
	folderName: 'Archive 2024',
	index: 7,
	name: 'Tasks',
	fields: { title: '1500001', dueDate: '1500002', done: '1500003', assignee: '1500004' },
} as const;

/** No records yet: the first one gets the id 0. */
export const empty = {
	path: 'sales/empty',
	folderName: 'Sales',
	index: 9,
	name: 'Empty',
	fields: { title: '1600001', amount: '1600002' },
} as const;

const userFields = {
	email: '1',
	/** Multiple selection; a mass update takes a text that holds a JSON array. */
	groups: '3',
	fullName: '4',
	systemLog: '10',
	status: '31',
	kind: '43',
	/** Not one of the fixed fields: it may be changed. */
	department: '1700001',
} as const;

/** 12 users of the account, for SYSAdmin only; records 1 and 2 are in group SYSAdmin. */
export const internalUsers = {
	path: 'system/users',
	folderName: 'System',
	index: 1,
	name: 'Internal Users',
	fields: userFields,
} as const;

/** 8 external users, whose groups begin with `x-`. */
export const externalUsers = {
	path: 'system/users',
	folderName: 'System',
	index: 2,
	name: 'External Users',
	fields: userFields,
} as const;
