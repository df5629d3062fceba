import '../documentReaders';
import '../service';
import 'fast-check';
import 'n8n-workflow';
import 'undici';
import { shareLoadedModules } from './sharedModules';

export { default } from './workerEnvironment';

shareLoadedModules();
