// Upgrades an installation from one npm package to another with its data, as an operator does: installs the old one in
// an empty folder, takes reports in, installs the new one over it, and compares. It needs the registry of npm, for what
// the packages depend on. Usage: npm run upgrade-check -- OLD.tgz NEW.tgz
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { exactFigures, lostValues } from '../test/support/exact-figures.ts';
import { runCommand, type Ran } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startInstance, type Instance } from '../test/support/instance.ts';
import { opensPages, signInCookie } from '../test/support/sign-in-cookie.ts';
import { makeCorpus, writeCorpus, type Corpus } from '../test/support/synthetic.ts';

const run = promisify(execFile);
/** Nothing outside of this machine is asked. */
const LOCAL = { DNS_SERVERS: '127.0.0.1:9', ALLOW_PRIVATE_ADDRESSES: 'on', ENRICHMENT: 'off' };
const FIRST_REPORTS = 60;
const SEED = 41;
const MOST_SHOWN = 20;

const [oldPackage, newPackage] = process.argv.slice(2).map((path) => resolve(path));
if (!oldPackage || !newPackage) throw new Error('Usage: npm run upgrade-check -- OLD.tgz NEW.tgz');
using folder = temporaryFolder();
const DATA_DIR = join(folder.path, 'data');
const program = join(folder.path, 'node_modules/dmarc-ledger/bin/dmarc-ledger.js');
const faults: string[] = [];

await install(oldPackage);
const before = await start();
const cookie = await signInCookie(before.signInUrl);
await takeIn(makeCorpus(FIRST_REPORTS, SEED)); // some damaged, some twice
check('the audit of the old version is clean', await audits());
const figures = await exactFigures(before.apiUrl, before.key);
console.log(`old: ${JSON.stringify(figures.statistics)}`);
check('the old version stops', (await before.end('SIGTERM')) === 0);

await install(newPackage);
const begin = performance.now();
const after = await start();
console.log(`new: migrated and ready after ${Math.round(performance.now() - begin)} ms`);
check('the key is the same', after.key === before.key);
check('a session of the old version opens the pages', await opensPages(after.apiUrl, cookie));
const lost = lostValues(figures, await exactFigures(after.apiUrl, after.key));
check('every figure is the same', lost.length === 0);
for (const value of lost.slice(0, MOST_SHOWN)) console.log(`  ${value}`);
check('the audit of the new version is clean', await audits());
await takeIn(makeCorpus(1, SEED + 1));
const { reports } = await exactFigures(after.apiUrl, after.key);
check('a further report is taken in', reports.length === figures.reports.length + 1);
check('the audit is clean after it', await audits());
check('the help is there', (await fetch(`${after.apiUrl}/help`)).status === 200);
console.log((await command('doctor')).stdout);
check('the new version stops', (await after.end('SIGTERM')) === 0);
await command('migrate', '--status'); // the last one out stops the database
process.exitCode = faults.length > 0 ? 1 : 0;

async function install(file: string): Promise<void> {
  console.log(`installing ${file}`);
  await run('npm', ['install', '--prefix', folder.path, '--no-audit', '--no-fund', file]);
}

async function start(): Promise<Instance> {
  return await startInstance(DATA_DIR, [], LOCAL, program);
}

async function command(...args: string[]): Promise<Ran> {
  return await runCommand(args, { ...LOCAL, DATA_DIR }, undefined, program);
}

async function audits(): Promise<boolean> {
  const { code, stdout, stderr } = await command('audit');
  if (code !== 0) console.log(stdout, stderr);
  return code === 0;
}

async function takeIn({ files, reports }: Corpus): Promise<void> {
  const place = join(folder.path, `reports-${files.length}`);
  writeCorpus({ files }, [place], SEED);
  const { stdout } = await command('ingest', place, '--org', 'My organization', '--json');
  check(`${reports.length} reports are taken in`, stdout.includes(`"reports": ${reports.length},`));
}

function check(sentence: string, isSo: boolean): void {
  console.log(`${isSo ? '✓' : '✗'} ${sentence}`);
  if (!isSo) faults.push(sentence);
}
