import type { DnsClient } from '../dns/dns-client.ts';
import { askCanary, askZone, type ZoneFact, type ZoneOptions } from './ask-zone.ts';
import { ProviderBudgets } from './provider-budgets.ts';

/** Asks blocklists, each provider no faster than it should be asked. */
export interface ZoneAsker {
  /** Of one zone about one public address. */
  ask(zone: string, ip: string): Promise<ZoneFact>;
  /** Of one zone about a test address; nothing that was kept counts. */
  askCanary(zone: string, address: string): Promise<ZoneFact>;
}

export interface ZoneAskerOptions extends Pick<ZoneOptions, 'isAllowed'> {
  client: DnsClient;
  /** Lookups of each provider. Default 20. */
  perSecond?: number;
}

export function openZoneAsker({ client, perSecond, isAllowed }: ZoneAskerOptions): ZoneAsker {
  const budgets = new ProviderBudgets(perSecond);
  const within = async (zone: string, ask: () => Promise<ZoneFact>): Promise<ZoneFact> =>
    (await budgets.run(zone, ask)) ?? { outcome: 'failed', failure: 'overloaded' };
  return {
    ask: (zone, ip) => within(zone, () => askZone(client, zone, ip, { isAllowed })),
    askCanary: (zone, address) => within(zone, () => askCanary(client, zone, address)),
  };
}
