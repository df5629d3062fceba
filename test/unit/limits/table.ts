/** A limit that bounds no work, and why. */
type Reason = `no work: ${string}`;
type TestFile = `test/${string}.test.ts`;

const time: Reason = 'no work: a time, which tests of waiting and of age pass';
const polling = 'test/engine/polling';

/**
 * Every constant `max…` of the nodes, with the test that goes just beyond it and looks at what follows: the second batch, the
 * record that was dropped, the part that was cut. A constant that bounds no work has a reason instead.
 */
export const limits: Readonly<Record<string, TestFile | Reason>> = {
	'SheetRecords/parameters/selection.ts maxQuotedCharacters':
		'no work: how much of a wrong input an error quotes',
	'SheetRecords/resources/subtableRow/index.ts maxRowsPerRequest':
		'test/engine/subtableRow/add.test.ts',
	'SheetRecords/run/run.ts maxItemBlockMilliseconds': time,
	'SheetRecords/run/run.ts maxSourceRecords': 'test/engine/record/sourceRecords.test.ts',
	'SheetRecords/run/toolAnswer.ts maxAnswerCharacters': 'test/unit/SheetRecords/toolAnswer.test.ts',
	'SheetRecords/run/toolAnswer.ts maxFieldCharacters': 'test/unit/limits/secondPart.test.ts',
	'SheetRecords/run/toolAnswer.ts maxReportedMatches': 'test/unit/SheetRecords/toolAnswer.test.ts',
	'SheetRecordsPollingTrigger/cursor.ts maxLagSeconds': time,
	'SheetRecordsPollingTrigger/cursor.ts maxTimePrecisionSeconds': time,
	'SheetRecordsPollingTrigger/cursor.ts maxSetBacks':
		'test/unit/SheetRecordsPollingTrigger/cursor.test.ts',
	'SheetRecordsPollingTrigger/deletionCheck.ts maxFailedDeletionReads':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsPollingTrigger/deletionCheck.ts maxRestored':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsPollingTrigger/findChanges.ts maxUndated':
		'no work: further undated records are not named in the warning',
	'SheetRecordsPollingTrigger/pollCall.ts maxFieldsMilliseconds': time,
	'SheetRecordsPollingTrigger/pollState.ts maxFieldDigests':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsPollingTrigger/updateTimes.ts maxZoneShiftSeconds': time,
	'SheetRecordsPollingTrigger/updateTimes.ts maxSummerTimeSeconds': time,
	'SheetRecordsPollingTrigger/deletionCheck.ts maxKnownRecords':
		'test/unit/limits/secondPart.test.ts',
	'SheetRecordsPollingTrigger/deletionCheck.ts maxRememberedDeletions':
		'test/unit/limits/secondPart.test.ts',
	'SheetRecordsPollingTrigger/deletionCheck.ts maxDeletionReads': `${polling}/deletions.test.ts`,
	'SheetRecordsPollingTrigger/findChanges.ts maxItems': `${polling}/portions.test.ts`,
	'SheetRecordsPollingTrigger/findChanges.ts maxSampledRecords':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsPollingTrigger/poll.ts maxCommitMilliseconds': time,
	'SheetRecordsPollingTrigger/poll.ts maxOtherSheetPolls': `${polling}/wrongLists.test.ts`,
	'SheetRecordsPollingTrigger/sheetReader.ts maxSearchedRecords':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsPollingTrigger/watchedValues.ts maxWatchedRecords':
		'test/unit/limits/secondPart.polling.test.ts',
	'SheetRecordsTrigger/changeFilter.ts maxListMilliseconds': time,
	'SheetRecordsTrigger/changeFilter.ts maxListAgeMilliseconds': time,
	'SheetRecordsTrigger/changedRecords.ts maxRunningReads': 'test/unit/keys/processCaches.test.ts',
	'SheetRecordsTrigger/recentDeliveries.ts maxLaterRecords':
		'test/unit/SheetRecordsTrigger/recentDeliveries.test.ts',
	'SheetRecordsTrigger/recentDeliveries.ts maxStoredRecords':
		'test/unit/SheetRecordsTrigger/recentDeliveries.test.ts',
	'SheetRecordsTrigger/recentDeliveries.ts maxRecordsOfProcess':
		'test/unit/SheetRecordsTrigger/recentDeliveries.memory.test.ts',
	'SheetRecordsTrigger/recentDeliveries.ts maxRepeatMilliseconds': time,
	'SheetRecordsTrigger/recentDeliveries.ts maxSharedRepeatMilliseconds': time,
	'api/files/download.ts maxIdleMilliseconds': time,
	'api/files/download.ts maxAnswerBytes': 'test/unit/limits/secondPart.test.ts',
	'api/http/answer.ts maxQuoteCharacters': 'test/unit/api/http/answer.test.ts',
	'api/http/answer.ts maxMessageCharacters': 'test/unit/limits/secondPart.test.ts',
	'api/http/eventLoop.ts maxBlockMilliseconds': time,
	'api/http/policies.ts maxRedirects': 'test/engine/client/redirect.test.ts',
	'api/http/policies.ts maxRefusedLogins': 'test/unit/api/http/session.test.ts',
	'api/http/policies.ts maxSleepMilliseconds': time,
	'api/http/policies.ts maxLoginPauseMilliseconds': time,
	'api/files/storedContent.ts maxMessageLength': 'test/unit/limits/secondPart.texts.test.ts',
	'api/http/redaction.ts maxCodePoint': 'no work: the last character of Unicode',
	'api/sheet/kinds/equality.ts maxComparedRecords': 'test/unit/limits/secondPart.texts.test.ts',
	'api/values/singleValue.ts maxQuotedCharacters': 'no work: how much of a value a message quotes',
	'api/sheet/kinds/valueChecks.ts maxQuotedCharacters':
		'no work: how much of a list a message quotes',
	'api/values/textPattern.ts maxStates': 'test/unit/api/values/textPattern.test.ts',
	'SheetRecordsTrigger/recordFilter.ts maxDeliveryRegexSteps':
		'test/unit/SheetRecordsTrigger/recordFilter.test.ts',
	'api/webhooks/localFilter.ts maxRegexSteps': 'test/unit/limits/secondPart.texts.test.ts',
	'api/webhooks/publicKey.ts maxRefreshWaitMilliseconds': time,
	'api/webhooks/publicKey.ts maxDownloadMilliseconds': time,
	'api/http/rateLimiter.ts maxLatencies': 'test/unit/api/http/arrivals.test.ts',
	'api/http/redaction.ts maxLayers': 'test/unit/limits/secondPart.test.ts',
	'api/json/flatObjects.ts maxExactDigits': 'test/unit/api/json/flatObjects.test.ts',
	'api/json/jsonReader.ts maxDepth': 'test/unit/limits/secondPart.texts.test.ts',
	'api/json/jsonReader.ts maxNumberLength': 'test/unit/api/json/jsonReader.test.ts',
	'api/json/jsonReader.ts maxSharedTexts': 'test/unit/api/json/jsonReader.test.ts',
	'api/json/orderedJson.ts maxCopiedLength':
		'no work: longer texts are not copied, so they only need memory',
	'api/read/memory/loadedRecords.ts maxRecentAgeMs': time,
	'api/read/memory/processMemory.ts maxKnownMinutes': time,
	'api/read/memory/processMemory.ts maxMemoryMegabytes':
		'test/unit/api/read/memory/processMemory.size.test.ts',
	'api/read/memory/writtenValues.ts maxComparedLength':
		'test/unit/api/read/memory/writtenValues.test.ts',
	'api/read/pages.ts maxPageSize': 'test/unit/api/read/pages.test.ts',
	'api/read/pages.ts maxRepeatedRecords': 'test/unit/api/read/pages.test.ts',
	'api/read/readOptions.ts maxRequestedFields': 'test/unit/api/read/readOptions.test.ts',
	'api/read/record.ts maxLayouts': 'no work: records of further layouts are made without the cache',
	'api/read/deliveredRecords.ts maxDeliveryReads': 'test/engine/trigger/fetchRecord.many.test.ts',
	'api/read/recordSearch.ts maxSingleReads': 'test/unit/api/read/deliveredRecords.test.ts',
	'api/read/deliveredRecords.ts maxFailedReads': 'test/engine/trigger/fetchRecord.many.test.ts',
	'api/sheet/fields.ts maxListedNames': 'test/unit/api/sheet/fields.search.test.ts',
	'api/sheet/sources/inference.ts maxChoices': 'test/unit/api/sheet/sources/inference.test.ts',
	'api/sheet/sources/inference.ts maxWords': 'test/unit/api/sheet/sources/inference.test.ts',
	'api/sheet/sources/loadFields.ts maxCachedChoices':
		'test/unit/api/sheet/sources/loadFields.inference.test.ts',
	'api/sheet/sources/loadFields.ts maxChoiceLength':
		'test/unit/api/sheet/sources/loadFields.inference.test.ts',
	'api/sheet/sources/readOrder.ts maxReadOrders': 'test/unit/api/sheet/sources/readOrder.test.ts',
	'api/sheet/sheetFields.ts maxNamesMilliseconds': time,
	'api/sheet/sheetFields.ts maxDeliveryWaitMilliseconds': time,
	'api/sheet/sources/sheetMemory.ts maxFieldsOfProcess':
		'test/unit/api/sheet/sources/sheetMemory.test.ts',
	'api/sheet/sources/sheetMemory.ts maxFieldsAgeMinutes': time,
	'api/sheet/sources/sheetMemory.ts maxProvisionalAgeMinutes': time,
	'api/sheet/sources/sheetMemory.ts maxRefusalAgeMinutes': time,
	'api/sheet/sources/sheetMemory.ts maxAnsweringAgeMinutes': time,
	'api/tasks/massOperations.ts maxAddressCharacters': 'test/unit/api/tasks/massOperations.test.ts',
	'api/tasks/task.ts maxCheckDelayMilliseconds': time,
	'api/tasks/task.ts maxTimerMilliseconds': time,
	'api/values/fileNames.ts maxNameBytes': 'test/unit/api/values/fileNames.test.ts',
	'api/values/fileNames.ts maxNameCharacters': 'test/unit/api/values/fileNames.test.ts',
	'api/values/htmlEntities.ts maxCodePoint': 'no work: the last character of Unicode',
	'api/webhooks/localFilter.ts maxRegexCharacters': 'test/unit/limits/secondPart.texts.test.ts',
	'api/webhooks/publicKey.ts maxRefreshes': 'test/unit/api/webhooks/servicePublicKeys.test.ts',
	'api/webhooks/publicKey.ts maxKeyCharacters': 'test/unit/limits/secondPart.texts.test.ts',
	'api/webhooks/signature.ts maxRespelledCharacters': 'test/unit/api/webhooks/signature.test.ts',
	'api/webhooks/signature.ts maxSignatureCharacters': 'test/unit/limits/secondPart.texts.test.ts',
	'api/webhooks/verifyDelivery.ts maxBodyBytes': 'test/unit/api/webhooks/verifyDelivery.test.ts',
	'api/read/query.ts maxConditionsLength': 'test/engine/record/getAll.oneOf.test.ts',
	'api/write/match.ts maxConditionsLength': 'test/engine/record/upsert.lookUps.test.ts',
	'shared/editor/pickListMethods.ts maxListAgeMilliseconds': time,
	'shared/output/recordFiles.ts maxTriggerFiles': 'test/engine/trigger/downloadFiles.test.ts',
	'shared/parameters/options.ts maxOffsetHours': 'no work: a value beyond it is an error',
	'shared/parameters/parameter.ts maxShownCharacters':
		'no work: how much of a wrong value a message quotes',
	'shared/watchedFields.ts maxStoredCharacters': 'test/unit/limits/secondPart.texts.test.ts',
};
