import { AccountData } from '../data/accountData';
import { Sheet } from '../data/sheet';
import { contactsSheet } from './contacts';
import { measurementsSheet } from './measurements';
import { productsSheet } from './products';
import { customers, customersSheet, customersToImport } from './customers';
import { fillOrders, ordersSheet, storeContracts } from './orders';
import { siteVisitsSheet } from './siteVisits';
import { externalUsersSheet, internalUsersSheet } from './users';
import { emptySheet, invoicesSheet, recipesSheet, salariesSheet, tasksSheet } from './otherSheets';

/** Unchanged demo data by number of orders. Created once per process and then copied. */
const originals = new Map<number, AccountData>();

/** Resets the account to the demo data. */
export function fillAccount(data: AccountData, orderCount: number): void {
	const original = originals.get(orderCount) ?? makeAccount(orderCount);
	originals.set(orderCount, original);
	data.beginAs(original);
}

function makeAccount(orderCount: number): AccountData {
	const data = new AccountData();
	const contracts = storeContracts(data, orderCount);
	const filledOrders = {
		...ordersSheet,
		fill: (sheet: Sheet) => fillOrders(sheet, orderCount, contracts),
	};
	const definitions = [
		filledOrders,
		customersSheet,
		invoicesSheet,
		salariesSheet,
		recipesSheet,
		tasksSheet,
		emptySheet,
		siteVisitsSheet,
		internalUsersSheet,
		externalUsersSheet,
		productsSheet,
		contactsSheet,
		measurementsSheet(),
	];
	data.importSources.set(customers.importUrl, customersToImport);
	data.sheets = definitions.map((definition) => new Sheet(definition));
	return data;
}
