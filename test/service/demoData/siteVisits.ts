import type { SheetDefinition } from '../data/sheet';
import { cityName, dayText } from './words';

/** 12 visits of building sites, record ids 1 to 12. Their subtables have file fields, all of them empty at first. */
export const siteVisits = {
	path: 'service/visits',
	folderName: 'Service',
	index: 8,
	name: 'Site Visits',
	fields: {
		/** Required. The key field and the title. */
		site: '1800001',
		visitedOn: '1800002',
		report: '1800003',
	},
	subtables: {
		photos: {
			id: '2800001',
			name: 'Photos',
			fields: { caption: '3800001', photo: '3800002' },
		},
		findings: {
			id: '2800002',
			name: 'Findings',
			fields: { finding: '3800003', evidence: '3800004' },
		},
	},
} as const;

const { fields, subtables } = siteVisits;
const { photos, findings } = subtables;
const hour = 60 * 60 * 1000;

export const siteVisitsSheet: SheetDefinition = {
	...siteVisits,
	keyFieldId: fields.site,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{ id: fields.site, name: 'Site', type: 'text', required: true, onListing: true },
		{ id: fields.visitedOn, name: 'Visited On', type: 'date', onListing: true },
		{ id: fields.report, name: 'Report', type: 'file' },
	],
	subtables: [
		{
			...photos,
			fields: [
				{ id: photos.fields.caption, name: 'Caption', type: 'text' },
				{ id: photos.fields.photo, name: 'Photo', type: 'file' },
			],
		},
		{
			...findings,
			fields: [
				{ id: findings.fields.finding, name: 'Finding', type: 'text' },
				{ id: findings.fields.evidence, name: 'Evidence', type: 'file' },
			],
		},
	],
	fill: (sheet) => {
		for (let counter = 1; counter <= 12; counter += 1) {
			const at = Date.UTC(2024, 3, 2, 7) + counter * hour;
			const visit = sheet.add({ at, user: 'ada.admin@acme.example' }, counter);
			visit.set(fields.site, `${cityName(counter)} ${counter}`);
			visit.set(fields.visitedOn, dayText(450 + counter));
			for (const caption of ['Front', 'Roof']) {
				visit.rows(photos.id).set(sheet.takeRowId(), new Map([[photos.fields.caption, caption]]));
			}
			const finding = new Map([[findings.fields.finding, `Crack ${counter}`]]);
			visit.rows(findings.id).set(sheet.takeRowId(), finding);
		}
	},
};
