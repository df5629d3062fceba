import type { AccountData } from '../data/accountData';
import { Sheet } from '../data/sheet';
import { customersSheet } from './customers';
import { customersToImport } from './customersToImport';
import { customers } from './identifiers';
import { fillOrders, ordersSheet, storeContracts } from './orders';
import { externalUsersSheet, internalUsersSheet } from './users';
import { emptySheet, invoicesSheet, recipesSheet, salariesSheet, tasksSheet } from './otherSheets';

/** Makes the account what it is at the beginning, whatever has become of it. */
export function fillAccount(data: AccountData, orderCount: number): void {
	data.clear();
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
		internalUsersSheet,
		externalUsersSheet,
	];
	data.importSources.set(customers.importUrl, customersToImport);
	data.sheets = definitions.map((definition) => new Sheet(definition));
}
