import { measurements, type ReferenceService } from '../service';
import { Sheet } from '../service/data/sheet';
import { measurementsSheet } from '../service/demoData/measurements';

/** The names of the fields that are read of the wide sheet. */
export const fewFields = ['Field 5', 'Field 20', 'Field 35'];

/** Puts so many records in the place of the few of the demo data. */
export function replaceMeasurements({ data }: ReferenceService, recordCount: number): void {
	const others = data.sheets.filter(({ path }) => path !== measurements.path);
	data.sheets = [...others, new Sheet(measurementsSheet(recordCount))];
}
