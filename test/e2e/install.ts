import { installN8n } from './installN8n';

// What `npm run e2e` would do first, for whoever has something else to do meanwhile.
installN8n((text) => process.stdout.write(`· ${text}\n`));
