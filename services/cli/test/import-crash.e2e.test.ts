import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openCommandHost, startCommand } from '../../../test/support/command.ts';
import { jsonOf } from '../../../test/support/json-of.ts';
import { importSources, openSourcePlace, type SourcePlace } from '../../../test/support/peers/import-sources.ts';
import { messagesOf } from '../../../test/support/peers/kept-reports.ts';

const REPORTS = Number(process.env['KILLED_REPORTS'] ?? 300);

/** Imports go on in the same way whatever they read: of each kind one, and all of them in `npm run soak`. */
const KINDS = ['parsedmarc aggregate.json', 'dmarcts-report-parser on MariaDB'];
const isAll = process.env['KILLED_SOURCES'] === 'all';
const killed = importSources.filter(({ name }) => isAll || KINDS.includes(name));

const host = openCommandHost();
let place: SourcePlace;

beforeAll(async () => {
  place = await openSourcePlace();
});
afterAll(async () => {
  host[Symbol.dispose]();
  await place[Symbol.asyncDispose]();
});

const env = () => ({ ...place.env, LOG_LEVEL: 'error' });
const json = (args: string[], more: { [name: string]: string } = {}) =>
  jsonOf(host.run([...args, '--json'], { ...env(), ...more }));

it('is tried with a file and with a database', () => {
  expect(killed.map(({ name }) => name)).toEqual(expect.arrayContaining(KINDS));
});

it.each(killed.map((source) => [source.name, source] as const))(
  'an import of %s that is killed goes on where it was when it runs again',
  async (name, source) => {
    const { id: org } = await json(['org', 'create', `${name} ${randomUUID()}`]);
    const orgId = parseId(org);
    const opened = await source.open(place, REPORTS);
    const args = ['import', ...opened.args, '--org', org, '--count'];
    const child = startCommand([...args, '--json'], { ...env(), ...opened.env });
    const written = text(child.stdout!);
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from report where org_id = ${orgId} limit 1`.execute(place.database.db);
        expect(rows).toHaveLength(1);
      },
      { timeout: 120_000, interval: 5 },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await written).toBe(''); // it had not ended
    const { stored, duplicates, refused } = await json(args, opened.env);
    expect({ done: stored + duplicates, refused }).toEqual({ done: REPORTS, refused: 0 });
    const [{ messages, drift }] = await json(['audit', '--org', org]);
    expect({ messages: messages.proven + messages.imported, drift }).toEqual({
      messages: messagesOf(REPORTS),
      drift: 0,
    });
  },
  3_600_000,
);
