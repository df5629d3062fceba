import {
	isBareConfirmation,
	saysNotFound,
	saysRecordNotFound,
	successWords,
} from '../../../../nodes/api/http/successWords';

it.each([
	...['', ' ', 'saved', 'Saved.', 'OK', 'Done!', 'success', 'Actualizado', '成功', '保存成功'],
	...['Moved to the recycle bin.', 'The record has been moved to recycle bin.'],
	...['記錄已儲存', '资料已成功更新。', '保存しました'],
	...['Mark as Shipped done.', 'Record saved.', 'The record was updated successfully.'],
])('words that only confirm a success tell the user nothing: %j', (words) => {
	expect(isBareConfirmation(words)).toBe(true);
});

it.each([
	...['Invalid numeric value format.', 'Stock is low', 'Saved with warnings', 'failed', 'Locked'],
	...[
		'數量未儲存，請檢查',
		'欄位未儲存',
		'Record not found',
		'欄位格式不正確',
		'Saved, but 2 fields were left blank',
	],
	'Order 612 is on its way.',
])('other words beside a success are shown: %j', (words) => {
	expect(isBareConfirmation(words)).toBe(false);
});

it.each([
	...['Field id 1000001 not found', 'Field id 9999 was not found.', 'Form Index 3', 'Form index 9'],
	...[
		'record 5 not found',
		'The record does not exist.',
		"This form doesn't exist",
		'No such field',
	],
	...['Could not find the record', 'Unknown field 12', 'There is no record 7', '找不到資料'],
	...['Data could not be located', 'Field 1000011 is unknown', 'No record was updated.'],
	...['Der Datensatz wurde nicht gefunden.', 'Feld 7 nicht vorhanden', 'Niet gevonden'],
	...['Posten hittades inte', 'Posten ble ikke funnet', 'Enregistrement introuvable'],
	...["L'enregistrement n'a pas été trouvé", 'No se encontró el registro', 'El registro no existe'],
	...['Registro não encontrado', 'Il record non esiste', 'Record non trovato'],
	...['Rekord nie istnieje', 'Nie znaleziono rekordu', 'Запись не найдена', 'Kayıt bulunamadı'],
	...[
		'Không tìm thấy',
		'Data tidak ditemukan',
		'해당 데이터를 찾을 수 없습니다',
		'查無資料',
		'未找到记录',
	],
	...['レコードが見つかりません', 'ไม่พบข้อมูล'],
	...['The entry no longer exists', 'Record could not be found', 'Invalid form index: 99'],
])('words that something was not found are recognized: %j', (words) => {
	expect(saysNotFound(words)).toBe(true);
});

it.each([
	...['Invalid numeric value format.', 'Stock is low', 'Founded 1990', 'Saved', 'No discount'],
	...['Registro encontrado', 'Gefunden und gespeichert', 'The field Found is saved', '已找到'],
])('words about something else do not say that something was not found: %j', (words) => {
	expect(saysNotFound(words)).toBe(false);
});

it('a missing field or form is not a missing record', () => {
	expect(saysRecordNotFound('Record 5 not found.')).toBe(true);
	expect(saysRecordNotFound('Field id 5 of the record not found')).toBe(false);
	expect(saysRecordNotFound('Form Index 3')).toBe(false);
});

it('the words of an answer are its message and its warning, each once, as sent', () => {
	const answer = new Map([
		['status', 'SUCCESS'],
		['msg', 'A &amp; B'],
		['warning', 'A &amp; B'],
	]);
	expect(successWords(answer)).toBe('A &amp; B');
	expect(successWords(new Map([['msg', '&nbsp;']]))).toBe('');
	expect(successWords(answer.set('warning', 'Stock is low'))).toBe('A &amp; B Stock is low');
});
