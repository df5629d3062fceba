import { membersOf, numberOrText } from '../../../api/read/record';
import { readOptionsBy } from '../../../api/read/readOptions';
import { recordLoader } from '../../../api/read/recordLoader';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { InputError } from '../../../api/values/inputError';
import { joinedSentences } from '../../../api/values/text';
import { planCreation } from '../../../api/write/plan';
import { isEmpty, isSentNote, type ValueNote } from '../../../api/write/recordContent';
import { copyRules, parseChanges } from '../../parameters/changes';
import { noSuchRecord, recordParameter } from '../../parameters/record';
import { duplicateOptions } from '../../parameters/writeOptions';
import { notesSentence } from '../../run/hints';
import { batchOperation } from '../../run/operation';
import { savedRecordJson } from '../../run/savedRecord';
import { copiedFiles } from '../../files/copiedFiles';
import { carryOutCreation, noteUntypedCopy } from './carryOut';

export const duplicate = batchOperation({
	value: 'duplicate',
	name: 'Duplicate',
	action: 'Duplicate a record',
	description:
		'Copy a record with its subtable rows and return the new record. To create a record from other values, use Create.',
	writesEachItem: true,
	parameters: { record: recordParameter, options: duplicateOptions },
	addToBatch: ({ client }, { record: { sheet, recordId } }) =>
		recordLoader(client, sheet, readOptionsBy('EID', ['bbcode', true])).enqueue(recordId),
	async run(item, { record: { sheet, recordId }, options }, getBatch) {
		const loader = await getBatch();
		const stored = await loader.loadAndDrop(item.client, recordId, 'recent');
		if (!stored) throw noSuchRecord(recordId);
		const values = item.run.savedItems.item(recordId, membersOf(stored));
		const sheetFields = new SheetFields(item.client, sheet);
		const rules = copyRules(sheetFields, stored);
		const { notes, kinds, ...changes } = await parseChanges(rules, values);
		await noteUntypedCopy(item, sheet);
		const { files, missing } = await copiedFiles(item, options.copyFiles ? notes : []);
		if (isEmpty(changes) && files.length === 0) throw nothingToCopy(recordId);

		const isSent = ({ reason }: ValueNote) => isSentNote(reason);
		const isExpected = ({ reason }: ValueNote) => reason === 'filledIn' || reason === 'file';
		const lost = notes.filter((note) => !isSent(note) && !isExpected(note));
		const content = { changes, files, kinds, notes: notes.filter(isSent) };
		const plan = planCreation(content);
		const saved = await carryOutCreation({ item, sheet, plan, options });
		const notCopied = notesSentence('Not copied', [...lost, ...missing]);
		const warning = joinedSentences([saved.warning, notCopied]) || undefined;
		const json = await savedRecordJson({ item, sheet, ...options }, { ...saved, warning });
		return { ...json, _copiedFrom: numberOrText(recordId) };
	},
});

function nothingToCopy(recordId: string): InputError {
	return new InputError(
		`Record ${recordId} has no value that can be copied`,
		'Values that the service fills in, masked values and files are not copied.',
	);
}
