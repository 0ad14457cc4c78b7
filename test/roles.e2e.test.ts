import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDatabase } from '@dmarc-ledger/pipeline';
import { migrate, openDatabase, openReads, webRole, type Reads } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { debianPostgres, type DebianPostgres } from './support/debian-postgres.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'security.md'), 'utf8');

/** The statements of the page, for the role of this server. */
function documented(role: string): string {
  const [, block] = /```sql\n(create role [^`]*)```/.exec(page) ?? [];
  if (block === undefined) throw new Error('The page has no statements that create roles.');
  return block.replaceAll(' to ledger;', ` to ${role};`);
}

function asSuperuser({ superuser }: DebianPostgres, program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { env: { ...process.env, ...superuser }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

async function userOf(reads: Reads): Promise<string> {
  const { rows } = await sql<{ user: string }>`select current_user as user`.execute(reads.of(newId()));
  return rows[0]!.user;
}

it('doctor names the role that a user lacks, and the pages have theirs after the statements of docs/security.md', async () => {
  await using postgres = await debianPostgres();
  asSuperuser(postgres, 'createdb', [`--owner=${postgres.role}`, 'ledger']);
  const url = postgres.urlOf('ledger');
  const database = openDatabase(url);
  const isolation = async () => (await checkDatabase(database)).find(({ check }) => check === 'isolation');
  const run = (statements: string) =>
    asSuperuser(postgres, 'psql', ['--set=ON_ERROR_STOP=1', '-c', statements, 'ledger']);
  await migrate(url);
  expect(await isolation()).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('api and dmarc_ledger_web'),
  });

  const [forApi = '', forPages = ''] = documented(postgres.role).split(/(?=create role dmarc_ledger_web)/);
  run(forApi);
  await migrate(url);
  expect(await isolation()).toMatchObject({ state: 'warning', says: expect.stringContaining('take dmarc_ledger_web') });

  run(forPages);
  await migrate(url);
  expect(await isolation()).toMatchObject({ state: 'ok' });
  const pages = openReads(url, { role: webRole, onNoRole: (error) => expect.unreachable(error.message) });
  expect(await userOf(pages)).toBe('dmarc_ledger_web');
  await sql`select from session`.execute(pages.of(newId()));
  await expect(sql`select secret from mailbox`.execute(pages.of(newId()))).rejects.toMatchObject({ code: '42501' });
  await Promise.all([pages.close(), database.close()]);
});
