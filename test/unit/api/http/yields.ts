import crypto from 'node:crypto';

/** Counts how often the code yields to the event loop (see `eventLoopTurn`): once per call of the spy. */
export const spyOnYields = () => jest.spyOn(crypto, 'randomBytes');
