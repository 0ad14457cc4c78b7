import { writeFileSync } from 'node:fs';
import { openApiDocument, routes } from '@dmarc-ledger/api';

const [path] = process.argv.slice(2);
const text = `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;

if (path === undefined) process.stdout.write(text);
else writeFileSync(path, text);
