import type { SheetDefinition } from '../data/sheet';
import { fieldTable, fillHourly } from './fieldTable';
import { pick } from './words';

const key = { required: true, unique: true, onListing: true };

const table = fieldTable({
	/** `P-001` … `P-030`. */
	productNumber: ['1810001', 'Product Number', 'text', key],
	name: ['1810002', 'Name', 'text', { onListing: true }],
	/** Unique if it is not empty: `4000000000001` … Every third product has no barcode. */
	barcode: ['1810003', 'Barcode', 'text', { unique: true }],
	price: ['1810004', 'Price', 'number'],
});

/** 30 products, record IDs 1 to 30. Two of the fields are unique. */
export const products = {
	path: 'warehouse/products',
	folderName: 'Warehouse',
	index: 11,
	name: 'Products',
	fields: table.ids,
};

const { fields } = products;
const articles = ['Chair', 'Desk', 'Lamp', 'Shelf', 'Stool'];

export const productsSheet: SheetDefinition = {
	...products,
	fields: table.fields,
	keyFieldId: fields.productNumber,
	titleFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	fill: (sheet) =>
		fillHourly(sheet, 30, Date.UTC(2024, 4, 6, 7), (counter) => ({
			[fields.productNumber]: `P-${String(counter).padStart(3, '0')}`,
			[fields.name]: `${pick(articles, counter)} ${counter}`,
			[fields.barcode]: counter % 3 === 0 ? '' : String(4_000_000_000_000 + counter),
			[fields.price]: (counter * 9.9).toFixed(2),
		})),
};
