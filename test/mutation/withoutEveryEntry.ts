// Tests that change a source file themselves cannot read it with all changes of Stryker in it.
jest.doMock('../unit/everyEntry', () => ({ everyEntryMatters: () => undefined }));
