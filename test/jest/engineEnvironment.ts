import '../engine/runner';
import '../engine/clock'; // before anything that loads n8n-workflow
import '../documentReaders';
import '../service';
import 'fast-check';
import 'undici';

import { shareLoadedModules } from './sharedModules';

export { default } from './workerEnvironment';

shareLoadedModules();
