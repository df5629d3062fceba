import '../engine/runner';
import '../engine/connections';
import { startClock, stopClock } from '../engine/clock'; // before anything that loads n8n-workflow
import '../documentReaders';
import '../service';
import 'fast-check';
import 'undici';

import { shareLoadedModules } from './sharedModules';
import WorkerEnvironment from './workerEnvironment';

shareLoadedModules();

/** Environment of tests that run nodes in n8n's engine. */
export default class EngineEnvironment extends WorkerEnvironment {
	override async setup(): Promise<void> {
		await super.setup();
		startClock();
	}

	override async teardown(): Promise<void> {
		stopClock();
		await super.teardown();
	}
}
