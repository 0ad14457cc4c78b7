// Makes the fixture of `test/upgrade.e2e.test.ts` for a release: an installation that its command has filled, with the
// database, the raw bytes and what its API answered. Usage: node scripts/keep-ledger.ts COMMAND FILE, such as
// node scripts/keep-ledger.ts dist/package/bin/dmarc-ledger.js test/fixtures/ledger-0041.json.gz
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startLocalPostgres } from '../packages/local-postgres/src/index.ts';
import { failureOf, tlsOf } from '../services/cli/test/other-deliveries.ts';
import { runCommand } from '../test/support/command.ts';
import { exactFigures } from '../test/support/exact-figures.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startInstance } from '../test/support/instance.ts';
import { keepLedger, writeKeptLedger } from '../test/support/kept-ledger.ts';
import { signInCookie } from '../test/support/sign-in-cookie.ts';
import { makeCorpus, writeCorpus } from '../test/support/synthetic.ts';

const REPORTS = 30;
const SEED = 31;
const ORG = ['--org', 'My organization'];

const [program, file] = process.argv.slice(2).map((path) => resolve(path));
if (!program || !file) throw new Error('Usage: node scripts/keep-ledger.ts COMMAND FILE');
using folder = temporaryFolder();
const DATA_DIR = join(folder.path, 'data');
const env = { DATA_DIR, DNS_SERVERS: '127.0.0.1:9', ALLOW_PRIVATE_ADDRESSES: 'on', ENRICHMENT: 'off' };

const instance = await startInstance(DATA_DIR, ['--no-samples'], env, program);
const cookie = await signInCookie(instance.signInUrl);
const key = await fill();
await run(['audit']);
const figures = await exactFigures(instance.apiUrl, instance.key);
await instance.end('SIGTERM');
const server = await startLocalPostgres({ dataDir: join(DATA_DIR, 'postgres') });
const ledger = await keepLedger(server.url, DATA_DIR, { figures, keys: [instance.key, key], cookie });
await server.stop();
for (const [name, rows] of Object.entries(ledger.tables))
  ledger.tables[name] = rows.replaceAll(folder.path, '/srv/ledger'); // names of deliveries are paths
writeKeptLedger(file, ledger);
console.log(`${file}: schema ${ledger.schema}, ${Object.keys(ledger.tables).length} tables with rows`);

/** Takes in reports of every kind, and adds what an organization has beside them. Returns a key of a person. */
async function fill(): Promise<string> {
  const place = join(folder.path, 'reports');
  const { files } = makeCorpus(REPORTS, SEED);
  writeCorpus({ files }, [place], SEED);
  writeFileSync(join(place, 'tls.json'), tlsOf('tls-1', 'example.com'));
  writeFileSync(join(place, 'failure.eml'), failureOf('example.com'));
  await run(['domain', 'add', 'example.com', ...ORG, '--forensic', '--tlsrpt', '--aprf']);
  await run(['ingest', place, ...ORG], [0, 3]); // some files are damaged
  await run(['user', 'add', 'anna@example.com', ...ORG, '--role', 'analyst']);
  const server = ['--host', '127.0.0.1', '--port', '9', '--user', 'reports', '--password-env', 'REPORTS_PASSWORD'];
  await run(['mailbox', 'add', ...ORG, ...server]);
  await run(['webhook', 'add', 'https://hooks.example.com/dmarc', ...ORG]);
  await run(['snapshot', 'rebuild', ...ORG]);
  const made = await run(['key', 'create', ...ORG, '--owner', 'anna@example.com', '--scope', 'read', '--json']);
  return String(JSON.parse(made).key);
}

async function run(args: string[], codes = [0]): Promise<string> {
  const variables = { ...env, REPORTS_PASSWORD: 'secret' };
  const { code, stdout, stderr } = await runCommand(args, variables, undefined, program);
  if (code === null || !codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}
