import { randomUUID } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { runMeasured } from '../../../test/support/measured-command.ts';
import { importSources, openSourcePlace, type SourcePlace } from '../../../test/support/peers/import-sources.ts';
import { messagesOf, peerReport, sentXml } from '../../../test/support/peers/kept-reports.ts';
import { fileOf } from '../../../test/support/peers/parsedmarc-files.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const REPORTS = Number(process.env['IMPORTED_REPORTS'] ?? 12);
const HOURS_MS = 4 * 3_600_000;

/** Resident memory of an import, however many reports there are. */
const MEMORY_MB = 800;

const host = openCommandHost();
let place: SourcePlace;

beforeAll(async () => {
  place = await openSourcePlace();
});
afterAll(async () => {
  host[Symbol.dispose]();
  await place[Symbol.asyncDispose]();
});

/** On a busy machine a long run may lose the lock of a job, which is logged and done again. */
const LOG_LEVEL = REPORTS > 1_000 ? 'fatal' : 'error';
const env = () => ({ ...place.env, LOG_LEVEL });

const json = (args: string[], more: { [name: string]: string } = {}) =>
  jsonOf(host.run([...args, '--json'], { ...env(), ...more }));

async function organization(name: string): Promise<string> {
  return (await json(['org', 'create', `${name} ${randomUUID()}`])).id;
}

/** What counts, by what proves it, and the rows that drift. */
async function audited(org: string) {
  const [{ messages, drift }] = await json(['audit', '--org', org]);
  return { proven: messages.proven, imported: messages.imported, drift };
}

async function fileWith(reports = REPORTS): Promise<string> {
  const path = join(place.folder, `${reports}.json`);
  await pipeline(fileOf('aggregate.json', reports), createWriteStream(path));
  return path;
}

it.each(importSources.map((source) => [source.name, source] as const))(
  'an import of %s is exact, and changes nothing when it runs again',
  async (name, source) => {
    const org = await organization(name);
    const opened = await source.open(place, REPORTS);
    const args = ['import', ...opened.args, '--org', org];
    const raw = source.isHalfRaw ? Math.ceil(REPORTS / 2) : 0;
    const found = { rebuilt: REPORTS - raw, raw, unreadable: [] };
    expect(await json([...args, '--dry-run'], opened.env)).toMatchObject({ dry_run: true, ...found, received: 0 });
    const { usage, ...taken } = await runMeasured([...args, '--count', '--json'], { ...env(), ...opened.env });
    expect(taken).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(taken.stdout)).toMatchObject({ ...found, stored: REPORTS, held: 0, refused: 0 });
    const proven = raw * (raw + 1);
    const figures = { proven, imported: messagesOf(REPORTS) - proven, drift: 0 };
    expect(await audited(org)).toEqual(figures);
    expect(await json([...args, '--dry-run'], opened.env)).toMatchObject({ ...found, received: REPORTS });
    expect(await json(args, opened.env)).toMatchObject({ ...found, stored: 0, duplicates: REPORTS, held: 0 });
    expect(await audited(org)).toEqual(figures);
    console.log(`${name}: ${REPORTS} reports, ${usage.seconds.toFixed(0)} s, ${usage.megabytes.toFixed(0)} MB`);
    expect(usage.megabytes).toBeLessThan(MEMORY_MB);
  },
  HOURS_MS,
);

it('an import names every place that it cannot read', async () => {
  const lines = fileURLToPath(new URL('../../../packages/imports/test/fixtures/lines.ndjson', import.meta.url));
  const org = await organization('unreadable');
  const { stdout, code } = await host.run(['import', 'parsedmarc', lines, '--org', org], env());
  expect(stdout).toMatch(
    /^not read {2}count_unreadable, 2 times: .* \(.*lines\.ndjson, line 3; .*lines\.ndjson, line 3\)$/m,
  );
  expect(code).toBe(3);
});

it(
  'an import is held, says how it is released, and mail and files count in its place',
  async () => {
    const org = await organization('held');
    const other = await organization('other');
    const path = await fileWith();
    const held = await host.run(['import', 'parsedmarc', path, '--org', org], env());
    expect(held).toMatchObject({ code: 0, stderr: '' });
    expect(held.stdout).toContain(`intake release --imported --org ${org}\n`); // not those of others
    expect(await audited(org)).toEqual({ proven: 0, imported: 0, drift: 0 });
    const sent = join(place.folder, 'sent.xml');
    writeFileSync(sent, sentXml(peerReport(3)));
    await json(['ingest', sent, '--org', org]);
    expect(await audited(org)).toEqual({ proven: 5, imported: 0, drift: 0 });
    await json(['intake', 'release', '--imported', '--domain', 'example.com', '--org', org]);
    expect(await audited(org)).toEqual({ proven: 5, imported: messagesOf(REPORTS) - 5, drift: 0 });
    writeFileSync(sent, sentXml(peerReport(4)));
    await json(['ingest', sent, '--org', org]);
    expect(await audited(org)).toEqual({ proven: 11, imported: messagesOf(REPORTS) - 11, drift: 0 });
    expect(await audited(other)).toEqual({ proven: 0, imported: 0, drift: 0 });
  },
  HOURS_MS,
);

it.each<[string, () => Promise<string[]> | string[], string]>([
  ['a path that does not exist', () => ['parsedmarc', '/nowhere/a.json'], '/nowhere/a.json does not exist.'],
  [
    'a database that does not answer',
    () => ['dmarcts', '--database', 'mysql://reader@127.0.0.1:1/dmarc'],
    'The database cannot be opened: no server accepts connections at 127.0.0.1:1; check that the server runs, and that ' +
      'its host and port are right (ECONNREFUSED).',
  ],
  [
    'another schema',
    async () => ['dmarc-srg', '--database', await place.mariadb.createDatabase('empty', [])],
    'The database has no table reports, so it is not a database of dmarc-srg.',
  ],
  [
    'a password on the command line',
    () => ['dmarcts', '--database', 'mysql://reader:secret@127.0.0.1/dmarc'],
    'The password does not belong on the command line: use --password-env.',
  ],
  [
    'a variable that is not set',
    () => ['dmarcts', '--database-env', 'NOT_SET'],
    'The environment variable NOT_SET is not set.',
  ],
])('%s is named in a sentence', async (_, args, sentence) => {
  const { stderr, code } = await host.run(['import', ...(await args()), '--org', await organization('errors')], env());
  expect(stderr).toBe(`dmarc-ledger: ${sentence}\n`);
  expect(code).not.toBe(0);
});
