import { installN8n } from './installN8n';

// Installs n8n in advance. Otherwise, `npm run e2e` installs it first.
installN8n((text) => process.stdout.write(`· ${text}\n`));
