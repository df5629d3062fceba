import '../engine/runner';
import { resetClock } from '../engine/clock'; // before anything that loads n8n-workflow
import '../documentReaders';
import '../service';
import 'fast-check';
import 'undici';

import { shareLoadedModules } from './sharedModules';
import WorkerEnvironment from './workerEnvironment';

shareLoadedModules();

/** For tests that run nodes in n8n's engine. */
export default class EngineEnvironment extends WorkerEnvironment {
	override async setup(): Promise<void> {
		await super.setup();
		resetClock();
	}
}
