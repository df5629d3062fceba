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

/** By the number of orders. They are made once a process and only copied, so they stay as they are. */
const originals = new Map<number, AccountData>();

/** Makes the account what it is at the beginning, whatever has become of it. */
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
