import type { SheetDefinition } from '../data/sheet';
import { pick } from './words';

/** 30 products, record ids 1 to 30. Two of their fields hold no text twice. */
export const products = {
	path: 'warehouse/products',
	folderName: 'Warehouse',
	index: 11,
	name: 'Products',
	fields: {
		/** Required and unique: `P-001` … `P-030`. The key field. */
		productNumber: '1810001',
		/** The title. */
		name: '1810002',
		/** Unique where it is not empty: `4000000000001` …, none for every third product. */
		barcode: '1810003',
		price: '1810004',
	},
} as const;

const { fields } = products;
const articles = ['Chair', 'Desk', 'Lamp', 'Shelf', 'Stool'];

export const productsSheet: SheetDefinition = {
	...products,
	keyFieldId: fields.productNumber,
	titleFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{
			id: fields.productNumber,
			name: 'Product Number',
			type: 'text',
			required: true,
			unique: true,
			onListing: true,
		},
		{ id: fields.name, name: 'Name', type: 'text', onListing: true },
		{ id: fields.barcode, name: 'Barcode', type: 'text', unique: true },
		{ id: fields.price, name: 'Price', type: 'number' },
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 30; counter += 1) {
			const at = Date.UTC(2024, 4, 6, 7) + counter * 60 * 60 * 1000;
			sheet
				.add({ at, user: 'ada.admin@acme.example' }, counter)
				.set(fields.productNumber, `P-${String(counter).padStart(3, '0')}`)
				.set(fields.name, `${pick(articles, counter)} ${counter}`)
				.set(fields.barcode, counter % 3 === 0 ? '' : String(4_000_000_000_000 + counter))
				.set(fields.price, (counter * 9.9).toFixed(2));
		}
	},
};
