import type { DnsClient } from '../dns/dns-client.ts';
import { askCanary, askZone, type ZoneFact } from './ask-zone.ts';
import { ProviderBudgets } from './provider-budgets.ts';

/** Queries blocklists within the limits of each provider. */
export interface ZoneAsker {
  /** Queries one zone for one public address. */
  ask(zone: string, ip: string): Promise<ZoneFact>;
  /** Queries one zone for a test address, before all that waits, and bypassing the cache. */
  askCanary(zone: string, address: string): Promise<ZoneFact>;
}

export interface ZoneAskerOptions {
  client: DnsClient;
  /** Lookups for each provider. Default 20. */
  perSecond?: number;
}

export function openZoneAsker({ client, perSecond }: ZoneAskerOptions): ZoneAsker {
  const budgets = new ProviderBudgets(perSecond);
  const within = async (zone: string, ask: () => Promise<ZoneFact>, isUrgent: boolean): Promise<ZoneFact> =>
    (await budgets.run(zone, ask, isUrgent)) ?? { outcome: 'failed', failure: 'overloaded' };
  return {
    ask: (zone, ip) => within(zone, () => askZone(client, zone, ip), false),
    askCanary: (zone, address) => within(zone, () => askCanary(client, zone, address), true),
  };
}
