import { claimZoneTests, findZones, saveZone } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { randomPublicAddress, type ZoneAsker } from '@dmarc-ledger/lookups';
import {
  afterResult,
  afterTest,
  canariesOf,
  interpretAnswer,
  untestedZone,
  type Blocklist,
  type IpFamily,
  type ListResult,
  type ListToAsk,
  type ZoneHealth,
} from '@dmarc-ledger/sources';
import { repeatEvery } from '@dmarc-ledger/vocabulary';

/** Which zones work, by the self-tests of all processes, kept in the database. */
export interface ZoneWatch {
  isWorking(list: string, family: IpFamily): boolean;
  /** False while a zone is suspended because it lists what no list may. */
  isTrusted(list: string, family: IpFamily): boolean;
  /** Fulfilled once every zone has been tested, or cannot be tested for now. */
  tested(): Promise<void>;
  noteResult(list: string, family: IpFamily, result: ListResult): Promise<void>;
  close(): Promise<void>;
}

export interface ZoneWatchNeeds {
  database: Database;
  /** Tests count against the limits of each provider. */
  asker: Pick<ZoneAsker, 'askCanary'>;
  lists: readonly Blocklist[];
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

const EVERY_MS = 10_000;
/** While a process tests a zone, no other process may for this long. */
const TEST_SECONDS = 30;

/**
 * Tests every zone at the start and hourly, and suspends those that are dead, list everything or refuse queries. (RFC
 * 5782, 5)
 */
export function watchZones({ database, asker, lists, everyMs = EVERY_MS, onFault }: ZoneWatchNeeds): ZoneWatch {
  const zones = lists.filter(({ enabled }) => enabled).flatMap(zonesOf);
  const health = new Map<string, ZoneHealth>();
  const ending = new AbortController();
  const first = Promise.withResolvers<void>();

  const test = async ({ list, zone, family }: ListToAsk) => {
    const answers = await Promise.all(
      canariesOf(list, family).map(async (canary) => {
        const address = canary.address === 'random' ? randomPublicAddress(family) : canary.address;
        return { canary, result: interpretAnswer(list, await asker.askCanary(zone, address)) };
      }),
    );
    const now = new Date();
    const key = keyOf(list.id, family);
    const next = afterTest(health.get(key) ?? untestedZone(now), answers, now);
    health.set(key, next);
    await saveZone(database.db, list.id, family, next);
  };

  const look = async () => {
    const watched = zones.map(({ list, family }) => ({ list: list.id, family }));
    const due = await claimZoneTests(database.db, watched, TEST_SECONDS);
    for (const { list, family, health: stored } of await findZones(database.db)) {
      const key = keyOf(list, family);
      health.set(key, withOwnRefusals(stored, health.get(key)));
    }
    const mine = zones.filter(({ list, family }) => due.has(keyOf(list.id, family)));
    await Promise.all(mine.map(test));
    if (zones.every(({ list, family }) => health.get(keyOf(list.id, family))?.state !== 'untested')) first.resolve();
  };

  const run = async () => {
    const onError = (error: unknown) => onFault('The lists could not be tested.', error);
    await repeatEvery({ everyMs, onError }, ending.signal, look);
    first.resolve();
  };
  const running = run();

  return {
    isWorking: (list, family) => health.get(keyOf(list, family))?.state === 'working',
    isTrusted: (list, family) => !health.get(keyOf(list, family))?.listsWrongly,
    tested: () => first.promise,
    async noteResult(list, family, result) {
      const key = keyOf(list, family);
      const before = health.get(key);
      if (!before) return;
      const after = afterResult(before, result, new Date());
      health.set(key, after);
      if (after.state !== before.state) await saveZone(database.db, list, family, after);
    },
    async close() {
      ending.abort();
      await running;
    },
  };
}

/**
 * The stored health, with the refusals that this process has counted since the test or the suspension that stored it:
 * they are stored only when they suspend the zone.
 */
function withOwnRefusals(stored: ZoneHealth, own: ZoneHealth | undefined): ZoneHealth {
  const isOfSameTest = own?.nextTestAt.getTime() === stored.nextTestAt.getTime();
  return isOfSameTest ? { ...stored, refusals: own.refusals } : stored;
}

function zonesOf(list: Blocklist): ListToAsk[] {
  const families: IpFamily[] = ['v4', 'v6'];
  return families.flatMap((family) => {
    const zone = list.zone[family];
    return zone === undefined ? [] : [{ list, zone, family }];
  });
}

function keyOf(list: string, family: IpFamily): string {
  return `${list}/${family}`;
}
