import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planLookups } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { abuseIpdb, dailyBudget, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { readBlocklists } from '@dmarc-ledger/sources';
import { openOutside, watchZones } from '../../src/index.ts';
import { openLedger, type BackendName, type Ledger } from '../ledger.ts';
import { blocklistsFile } from './lists.ts';
import { writeGeoFiles, type Servers } from './servers.ts';

/** The write side with all external lookups. */
export interface EnrichingLedger extends Ledger {
  /** Looks up what is due, judges what follows, and waits until nothing is left to do. */
  lookUp(): Promise<void>;
  /** Makes kinds of lookups due again, of all addresses or some. */
  makeDue(kinds: ('ptr' | 'lists' | 'abuse')[], addresses?: string[]): Promise<void>;
  /** How often an address's mail was to be judged again. */
  judgements(ip: string): Promise<number>;
}

export async function openEnrichingLedger(
  servers: Pick<Servers, 'dns' | 'reputation'>,
  backend: BackendName = 'Postgres',
): Promise<EnrichingLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-geo-'));
  const geo = openGeo(writeGeoFiles(folder));
  const { lists, faults } = readBlocklists(blocklistsFile());
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const { dns, reputation } = servers;
  const provider = abuseIpdb({ key: 'a key', url: reputation.url, budget: dailyBudget(100_000) });
  const ledger: Ledger = await openLedger(backend, ({ database }) => {
    const onFault = (message: string, error: unknown) => void ledger.faults.push(`${message} ${String(error)}`);
    const asker = openZoneAsker({ client: dns, perSecond: Infinity });
    const zones = watchZones({ database, asker, lists, everyMs: 200, onFault });
    return {
      outside: openOutside({ dns, geo, reputation: provider, lists, zones, asker }),
      zones,
    };
  });
  await countFromNow(ledger.database);
  return {
    ...ledger,
    lookUp: () => lookUp(ledger),
    makeDue: (kinds, addresses) => makeDue(ledger.database, kinds, addresses),
    judgements: (ip) => countJudgements(ledger.database, ip),
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PLAN = { inHand: 2_000, inHandBesideIntake: 10, atOnce: 400, inJob: 20, lostAfterSeconds: 600 };

async function lookUp({ database, settled }: Ledger): Promise<void> {
  const planned = database.db.selectFrom('ip_enrichment').select('address').where('planned', '=', true).limit(1);
  for (;;) {
    const count = await planLookups(database, PLAN);
    const isInHand = (await planned.execute()).length > 0;
    if (count === 0 && !isInHand) break;
    await sleep(50);
  }
  await settled();
}

async function makeDue({ pool }: Database, kinds: string[], addresses?: string[]): Promise<void> {
  const set = kinds.map((kind) => `${kind}_due_at = now()`).join(', ');
  await pool.query(`update ip_enrichment set ${set}, due_at = now() where $1::inet[] is null or address = any($1)`, [
    addresses ?? null,
  ]);
}

/** The sweep changes rows that wait; only new work inserts them. */
async function countFromNow({ pool }: Database): Promise<void> {
  await pool.query(`create table judgement (source_ip inet);
    create function count_judgement() returns trigger language plpgsql as
      $$ begin insert into judgement values (new.source_ip); return null; end $$;
    create trigger count_judgement after insert on unjudged_source for each row execute function count_judgement()`);
}

async function countJudgements({ pool }: Database, ip: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*) from judgement where source_ip = $1', [ip]);
  return rows[0]!.count;
}
