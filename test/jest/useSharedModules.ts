// Use the modules that the worker has loaded, instead of a copy for each test file.
for (const [path, exports] of globalThis.sharedModules ?? []) jest.doMock(path, () => exports);
