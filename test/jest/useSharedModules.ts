// In place of a copy for each test file, what the worker has loaded.
for (const [path, exports] of globalThis.sharedModules ?? []) jest.doMock(path, () => exports);
