import { findEnrichments } from '@dmarc-ledger/facts';
import { createOrganization, noteSources, saveFacts } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ip = '45.0.0.1';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let database: ClonedDatabase;
let orgId: string;
beforeEach(async () => {
  database = await cloneDatabase();
  orgId = (await createOrganization(database.db, { name: 'Org' })).id;
  await mention(false);
  await database.pool.query('update ip_enrichment set in_line = false');
});
afterEach(() => database[Symbol.asyncDispose]());

/** A report names the address. */
async function mention(isFailing: boolean): Promise<void> {
  await transact(database, (session) => noteSources(session, orgId, [{ address: ip, isFailing }]));
}

/** Times of a passing source, in hours from now: when each fact was found, and when it is looked up again. */
type Times = { [kind in 'ptr' | 'lists' | 'abuse']: { at: number | null; due: number } };
const times: Times = {
  ptr: { at: -30, due: 138 },
  lists: { at: -12, due: 60 },
  abuse: { at: -24, due: 696 },
};

async function given({ ptr, lists, abuse }: Times, more = "list_scope = 'full'"): Promise<void> {
  const hours = [ptr, lists, abuse].flatMap(({ at, due }) => [at, due]);
  const [first] = [ptr, lists, abuse].map(({ due }) => due).toSorted((a, b) => a - b);
  await database.pool.query(
    `update ip_enrichment set enriched_at = now(), version = 1, ${more},
       ptr_at = now() + make_interval(hours => $1), ptr_due_at = now() + make_interval(hours => $2),
       lists_at = now() + make_interval(hours => $3), lists_due_at = now() + make_interval(hours => $4),
       abuse_at = now() + make_interval(hours => $5), abuse_due_at = now() + make_interval(hours => $6),
       due_at = now() + make_interval(hours => $7)`,
    [...hours, first],
  );
}

/** In how many hours each lookup is due; 0: at once. */
async function dues() {
  const [row] = await findEnrichments(database.db, [ip]);
  const hours = (at: Date) => Math.max(Math.round((at.getTime() - Date.now()) / HOUR), 0);
  const { ptr_due_at, lists_due_at, abuse_due_at, due_at } = row!;
  return { ptr: hours(ptr_due_at), lists: hours(lists_due_at), abuse: hours(abuse_due_at), next: hours(due_at) };
}

/** Which transaction wrote the row last. */
async function writtenBy(): Promise<unknown> {
  return (await database.pool.query('select xmin::text from ip_enrichment')).rows;
}

describe('a known source that begins to fail', () => {
  it('is looked up again when facts about failing sources are, and at once where that time is over', async () => {
    await given(times);
    await mention(true);
    expect(await dues()).toEqual({ ptr: 0, lists: 12, abuse: 48, next: 0 });
  });

  it('keeps times that are sooner, as those of a listing', async () => {
    await given({ ...times, ptr: { at: -1, due: 2 }, lists: { at: -1, due: 5 } });
    await mention(true);
    expect(await dues()).toEqual({ ptr: 2, lists: 5, abuse: 48, next: 2 });
  });

  it('is not asked about again where the reputation service does not rate it', async () => {
    await given({ ...times, ptr: { at: -1, due: 167 }, abuse: { at: null, due: 8_000 } });
    await mention(true);
    expect(await dues()).toEqual({ ptr: 23, lists: 12, abuse: 8_000, next: 12 });
  });

  it('is not written again by reports that name it again', async () => {
    await given(times);
    await mention(true);
    const before = await writtenBy();
    await mention(true);
    expect(await writtenBy()).toEqual(before);
  });

  it('has the intervals of a failing one though its lookup began before', async () => {
    await given({ ...times, ptr: { at: -200, due: 0 } });
    const [row] = await findEnrichments(database.db, [ip]);
    await mention(true);
    const ptr_due_at = new Date(Date.now() + 7 * DAY);
    const found = { ...row!, ptr_at: new Date(), ptr_due_at, due_at: row!.lists_due_at };
    await transact(database, (session) => saveFacts(session, [{ row: found, isChanged: false }]));
    expect(await dues()).toEqual({ ptr: 24, lists: 12, abuse: 48, next: 12 });
  });
});

describe('a source that no report has named for long', () => {
  const longAgo = "list_scope = 'full', mentioned_at = now() - interval '20 days'";

  it('is looked up, and rated, at once when a report names it again', async () => {
    await given(times, longAgo);
    await mention(false);
    expect(await dues()).toEqual({ ptr: 0, lists: 0, abuse: 0, next: 0 });
  });

  it('stays as it is where the reputation service does not rate it', async () => {
    await given({ ...times, abuse: { at: null, due: 8_000 } }, longAgo);
    await mention(false);
    expect(await dues()).toEqual({ ptr: 0, lists: 0, abuse: 8_000, next: 0 });
  });

  it('is looked up, and rated, at once though its lookup began before', async () => {
    await given(times, longAgo);
    const [row] = await findEnrichments(database.db, [ip]);
    await mention(false);
    await transact(database, (session) => saveFacts(session, [{ row: row!, isChanged: false }]));
    expect(await dues()).toEqual({ ptr: 0, lists: 0, abuse: 0, next: 0 });
  });
});

it('a source whose mail goes on to pass keeps its times', async () => {
  await given(times);
  const before = await writtenBy();
  await mention(false);
  expect(await dues()).toEqual({ ptr: 138, lists: 60, abuse: 696, next: 60 });
  expect(await writtenBy()).toEqual(before);
});
