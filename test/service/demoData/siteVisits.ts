import type { SheetDefinition } from '../data/sheet';
import { fieldTable, fillHourly } from './fieldTable';
import { cityName, dayText } from './words';

const visits = fieldTable({
	site: ['1800001', 'Site', 'text', { required: true, onListing: true }],
	visitedOn: ['1800002', 'Visited On', 'date', { onListing: true }],
	report: ['1800003', 'Report', 'file'],
});
const photos = fieldTable({
	caption: ['3800001', 'Caption', 'text'],
	photo: ['3800002', 'Photo', 'file'],
});
const findings = fieldTable({
	finding: ['3800003', 'Finding', 'text'],
	evidence: ['3800004', 'Evidence', 'file'],
});

/** 12 visits of building sites, record IDs 1 to 12. Their subtables have file fields, which are empty at first. */
export const siteVisits = {
	path: 'service/visits',
	folderName: 'Service',
	index: 8,
	name: 'Site Visits',
	fields: visits.ids,
	subtables: {
		photos: { id: '2800001', name: 'Photos', fields: photos.ids },
		findings: { id: '2800002', name: 'Findings', fields: findings.ids },
	},
};

const { fields, subtables } = siteVisits;

export const siteVisitsSheet: SheetDefinition = {
	...siteVisits,
	fields: visits.fields,
	subtables: [
		{ ...subtables.photos, fields: photos.fields },
		{ ...subtables.findings, fields: findings.fields },
	],
	keyFieldId: fields.site,
	rights: { Sales: 'write', Readers: 'read' },
	fill: (sheet) => {
		const records = fillHourly(sheet, 12, Date.UTC(2024, 3, 2, 7), (counter) => ({
			[fields.site]: `${cityName(counter)} ${counter}`,
			[fields.visitedOn]: dayText(450 + counter),
		}));
		for (const visit of records) {
			const addRow = (subtableId: string, fieldId: string, text: string) =>
				visit.rows(subtableId).set(sheet.takeRowId(), new Map([[fieldId, text]]));
			for (const caption of ['Front', 'Roof']) {
				addRow(subtables.photos.id, photos.ids.caption, caption);
			}
			addRow(subtables.findings.id, findings.ids.finding, `Crack ${visit.id}`);
		}
	},
};
