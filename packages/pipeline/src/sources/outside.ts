import {
  isPublicAddress,
  lookUpReverse,
  type DnsClient,
  type Geo,
  type Network,
  type Place,
  type ReputationFact,
  type ReputationProvider,
  type ReverseFact,
  type ZoneAsker,
} from '@dmarc-ledger/lookups';
import {
  interpretAnswer,
  listsToAsk,
  type Blocklist,
  type CheckScope,
  type ListAnswers,
  type ListResult,
} from '@dmarc-ledger/sources';
import type { ZoneWatch } from './zone-watch.ts';

/** All external lookups about an address. None of them throws for a fault of an external service. */
export interface Outside {
  reverse(address: string): Promise<ReverseFact>;
  /** Undefined: no list is ever queried about this address. */
  lists(address: string, scope: CheckScope): Promise<ListAnswers | undefined>;
  /** Undefined: the geo data cannot be read, which it reports itself. */
  place(address: string): Promise<{ facts: Place & Network; build: string | null } | undefined>;
  reputation(address: string): Promise<ReputationFact & { source: string }>;
}

export interface OutsideNeeds {
  dns: DnsClient;
  geo: Geo;
  reputation: ReputationProvider;
  lists: readonly Blocklist[];
  zones: ZoneWatch;
  asker: Pick<ZoneAsker, 'ask'>;
  /** Receives each answer, for metrics. */
  observer?: OutsideObserver | undefined;
}

/** Receives the outcomes of external lookups. */
export interface OutsideObserver {
  /** By the list's id and the family of addresses. */
  listed: (zone: string, status: ListResult['status']) => void;
  rated: (outcome: ReputationFact['outcome']) => void;
}

/**
 * Joins all external lookups behind one interface. Only public addresses are looked up, whatever hosts the product may
 * connect to.
 */
export function openOutside(needs: OutsideNeeds): Outside {
  const { dns, geo, reputation, lists, zones, asker, observer } = needs;
  return {
    reverse: (address) => lookUpReverse(dns, address),
    async lists(address, scope) {
      if (!isPublicAddress(address)) return undefined;
      await zones.tested();
      const used = listsToAsk(lists, address, scope);
      const { asked = [], suspended = [] } = Object.groupBy(used, ({ list, family }) =>
        zones.isWorking(list.id, family) ? 'asked' : 'suspended',
      );
      const results = await Promise.all(
        asked.map(async ({ list, zone, family }) => {
          const result = interpretAnswer(list, await asker.ask(zone, address));
          observer?.listed(`${list.id}/${family}`, result.status);
          await zones.noteResult(list.id, family, result);
          return result;
        }),
      );
      return {
        results,
        suspended: suspended.map(({ list, family }) => ({ list, isTrusted: zones.isTrusted(list.id, family) })),
      };
    },
    async place(address) {
      const facts = await geo.lookUp(address).catch(() => undefined);
      return facts && { facts, build: buildOf(geo) };
    },
    async reputation(address) {
      if (!isPublicAddress(address)) return { outcome: 'not_available', reason: 'not a public address', source: '' };
      const fact = await reputation.lookUp(address);
      if (fact.outcome !== 'not_configured') observer?.rated(fact.outcome);
      return { ...fact, source: reputation.name };
    },
  };
}

/**
 * The build day of the location data; that of the network data only where there is no other, because its files carry
 * the day of their installation.
 */
function buildOf({ sources }: Geo): string | null {
  const days = sources.flatMap(({ kind, builtAt }) =>
    builtAt ? [{ kind, day: builtAt.toISOString().slice(0, 10) }] : [],
  );
  const places = days.filter(({ kind }) => kind !== 'network');
  const [newest] = (places.length > 0 ? places : days).map(({ day }) => day).toSorted((a, b) => (a < b ? 1 : -1));
  return newest ?? null;
}
