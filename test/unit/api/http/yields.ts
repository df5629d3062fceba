import { MessagePort } from 'node:worker_threads';

/** Counts how often the code waits for a turn of the event loop: once per call of the spy. */
export const spyOnYields = () => jest.spyOn(MessagePort.prototype, 'postMessage');
