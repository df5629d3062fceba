import {
	isBareConfirmation,
	mayDenySuccess,
	saysNotFound,
	saysRecordNotFound,
	successWords,
} from '../../../../nodes/api/http/successWords';
import { everyEntryMatters } from '../../everyEntry';

const nouns = ['field', 'record', 'form', 'sheet', 'row', 'entry', 'subtable'];
const failureWords = [
	...['err', 'Error', 'fail', 'failed', 'Failure', 'invalid', 'refused', 'rejected', 'denied'],
	...['Locked', 'Warning', 'unknown', 'timeout', 'Fehler', 'No', '未儲存', '失敗', '未成功'],
	...[
		'Aborted',
		'blocked',
		'canceled',
		'Cancelled',
		'Duplicate',
		'ignored',
		'partial',
		'Partially',
	],
	...[
		'Fehlgeschlagen',
		'Geweigerd',
		'Refusé',
		'Rechazado',
		'Rifiutato',
		'Gesperrt',
		'Ошибка',
		'Відмовлено',
	],
	...['3 of 5 done', '3/5 done', 'Update partially done'],
	...['Skipped', 'Nothing was done.', 'Mark as Shipped not done', 'It was never done', 'No 7 done'],
	...['cannot', 'could not', 'was unable to', "couldn't"].map(
		(verb) => `The record ${verb} be moved to the recycle bin.`,
	),
];
const confirmations = [
	...['', ' ', 'saved', 'Saved.', 'OK', 'Done!', 'success', 'Actualizado', '成功', '保存成功'],
	...[
		'Moved to the recycle bin.',
		'The record has been moved to recycle bin.',
		'Moved to trash bin',
	],
	...['has', 'have', 'was', 'were'].map((verb) => `The data ${verb} been updated`),
	...['is', 'are'].map((verb) => `The records ${verb} saved`),
	...['Data', 'Entry', 'Form', 'Record'].map((noun) => `${noun} saved`),
	...['saved', 'created', 'added', 'updated', 'deleted'].map((verb) => `Record ${verb}`),
	...['儲存', '储存', '保存', '更新', '新增', '建立', '刪除', '删除'].map(
		(verb) => `這筆記錄已${verb}`,
	),
	...['保存', '更新', '登録', '削除'].map((verb) => `${verb}しました。`),
	...['操作成功', '儲存完成', '已完成', '保存完了', '완료', '성공', '저장됨', 'Сохранено'],
	...['資料已移至資源回收筒', '记录已移到回收站。', '資料已移到垃圾桶'],
	...['レコードはゴミ箱に移動されました', 'ごみ箱に移動しました'],
	...['资料已成功更新。', 'Mark as Shipped done.', 'The record was updated successfully.'],
];
const otherWords = [
	...['Invalid numeric value format.', 'Stock is low', 'Saved with warnings'],
	...['數量未儲存，請檢查', '欄位未儲存', 'Record not found', '欄位格式不正確'],
	...['单价太低。', '重複資料', '已過期', '재고부족', '在庫切れ'],
	...['Saved, but 2 fields were left blank', 'Order 612 is on its way.'],
];
const denials = [
	...['Permission denied', 'Record is locked', 'Duplicate', 'Доступ заблокирован: отказано.'],
	...['Aktion verweigert', 'Accès refusé', 'Permiso denegado', 'Accesso negato', 'In error'],
	...['Der Satz wurde nicht gelöscht', 'Es besteht keine Berechtigung', 'Kein Recht'],
	...['Het is niet verwijderd', 'U heeft geen rechten', 'Posten togs inte bort', 'Ikke slettet'],
	...["Il n'a pas été supprimé", 'Suppression impossible', 'Non è stato eliminato'],
	...['Não foi excluído', 'Nie został usunięty', 'Запись не удалена', 'не удалена'],
	...['Data tidak dihapus', 'Bản ghi không bị xóa', 'ไม่สามารถลบข้อมูลได้'],
	...['資料無法移至回收筒', '削除できません', '삭제하지 못했습니다', 'It could not be moved'],
];
const wordsForNotFound = [
	...['Field id 1000001 not found', 'It has not been found', 'Data could not be located'],
	...["It wasn't found", "We can't find it", "This form doesn't exist"],
	...['cannot', 'could not', 'can not', 'unable to', 'failed to'].map((verb) => `${verb} find it`),
	...['Unable to locate it', 'The record does not exist.', 'The entry no longer exists'],
	...['A non-existent ID', 'Not existing', 'No such field'],
	...['Unknown', 'invalid', 'missing'].flatMap((word) => nouns.map((noun) => `${word} ${noun}`)),
	...nouns.flatMap((noun) => [`This ${noun} 7 is unknown`, `A ${noun} was missing`]),
	...['There is', 'There are', 'It has', 'They have'].map((verb) => `${verb} no record 7`),
	...nouns.map((noun) => `It has no ${noun}`),
	...['field', 'record', 'row'].map((noun) => `No ${noun} was updated.`),
	...['was', 'were', 'has been', 'have been'].map((verb) => `No records ${verb} changed.`),
	...['found', 'changed', 'updated', 'deleted'].map((verb) => `No rows were ${verb}`),
	...['Form Index 3', 'Form index 9', 'Invalid form index: 99'],
	...['Der Datensatz wurde nicht gefunden.', 'Feld 7 nicht vorhanden', 'Er existiert nicht'],
	...['Niet gevonden', 'Het bestaat niet', 'Posten hittades inte', 'Den finns inte'],
	...['Posten ble ikke funnet', 'Ikke fundet', 'Den finnes ikke', 'Den findes ikke'],
	...['Enregistrement introuvable', "L'enregistrement n'a pas été trouvé", "Il n'existe pas"],
	...["Il n'a pas pu être trouvé", 'El registro no existe', 'No se encontró el registro'],
	...['no se ha', 'no se han', 'no fue'].map((verb) => `${verb} encontrado`),
	...['No se pudo encontrar', 'Registro não encontrado', 'Ele não existe'],
	...[
		'Il record non esiste',
		'Record non trovato',
		'Rekord nie istnieje',
		'Nie znaleziono rekordu',
	],
	...['Nenalezeno', 'Záznam neexistuje', 'Kayıt bulunamadı', 'Kayıt mevcut değil'],
	...['Запись не найдена', 'Не знайдено', 'Она не существует', 'Він не існує'],
	...['Không tìm thấy', 'Không tồn tại', 'Data tidak ditemukan', 'Data tidak ada', 'ไม่พบข้อมูล'],
	...[
		'해당 데이터를 찾을 수 없습니다',
		'존재하지 않습니다',
		'找不到資料',
		'查無資料',
		'未找到记录',
	],
	...[
		'資料不存在',
		'沒有找到',
		'レコードが見つかりません',
		'見つからない',
		'存在しません',
		'存在しない',
	],
];
const wordsForOtherThings = [
	...['Invalid numeric value format.', 'Stock is low', 'Founded 1990', 'Saved', 'No discount'],
	...['Registro encontrado', 'Gefunden und gespeichert', 'The field Found is saved', '已找到'],
];
const missingRecords = [
	...['Record 5', 'Records', 'Entry 5', 'Entries', 'Node 5', 'Row of data', 'Rows of data'].map(
		(noun) => `${noun} not found.`,
	),
	...['資料', '记录', '記錄', '紀錄'].map((noun) => `找不到${noun}`),
	'レコードが見つかりません',
];
const missingFieldsAndForms = [
	...['Field id 5 of the record not found', 'Form Index 3', 'Form Index 3 of record 5 not found'],
	'Sheet not found',
];

it.each(confirmations)('words that only confirm a success tell the user nothing: %j', (words) => {
	expect(isBareConfirmation(words)).toBe(true);
});

it.each([...failureWords, ...otherWords])('other words beside a success are shown: %j', (words) => {
	expect(isBareConfirmation(words)).toBe(false);
});

it.each([...wordsForNotFound, ...missingRecords])(
	'words that something was not found are recognized: %j',
	(words) => {
		expect(saysNotFound(words)).toBe(true);
	},
);

it.each(wordsForOtherThings)(
	'words about something else do not say that something was not found: %j',
	(words) => {
		expect(saysNotFound(words)).toBe(false);
	},
);

it.each(denials)('words that may say that nothing was done are recognized: %j', (words) => {
	expect(mayDenySuccess(words)).toBe(true);
	expect(isBareConfirmation(words)).toBe(false);
});

it('words about a confirmation or other things do not deny a success', () => {
	expect(
		[...confirmations, 'Stock is low', 'Order 612 is on its way.'].filter((words) =>
			mayDenySuccess(words),
		),
	).toEqual([]);
});

it('words for a locked record, and doubtful ones, do not deny a lock', () => {
	const words = ['Locked', 'The record is locked', 'Gesperrt', 'Bloqueado', 'Warning: busy'];
	expect(words.map((each) => [mayDenySuccess(each), mayDenySuccess(each, true)])).toEqual(
		words.map(() => [true, false]),
	);
	expect(mayDenySuccess('You may not lock this record', true)).toBe(true);
});

it('a missing field or form is not a missing record', () => {
	expect(missingRecords.filter((words) => !saysRecordNotFound(words))).toEqual([]);
	expect(missingFieldsAndForms.filter(saysRecordNotFound)).toEqual([]);
});

everyEntryMatters<typeof import('../../../../nodes/api/http/successWords')>(
	'nodes/api/http/successWords.ts',
	(tested) => [
		[...confirmations, ...failureWords].map(tested.isBareConfirmation),
		denials.map((words) => tested.mayDenySuccess(words)),
		wordsForNotFound.map(tested.saysNotFound),
		[...missingRecords, ...missingFieldsAndForms].map(tested.saysRecordNotFound),
	],
	{ isMeant: (name) => name !== 'wordKeys' },
);

it('the words of an answer are its message and its warning, each once, as sentences', () => {
	const answer = new Map([
		['status', 'SUCCESS'],
		['msg', 'A &amp; B'],
		['warning', 'A &amp; B'],
	]);
	expect(successWords(answer)).toBe('A &amp; B');
	expect(successWords(new Map([['msg', '&nbsp;']]))).toBe('');
	expect(successWords(answer.set('warning', 'Stock is low'))).toBe('A &amp; B. Stock is low');
});
