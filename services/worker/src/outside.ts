import { readFile } from 'node:fs/promises';
import type { Database } from '@dmarc-ledger/db';
import {
  abuseIpdb,
  noReputation,
  openDnsClient,
  openGeo,
  parseServerAddress,
  systemServers,
  type Geo,
  type ReputationProvider,
  type ServerAddress,
} from '@dmarc-ledger/lookups';
import { openOutside, sharedBudget, watchZones, type Outside } from '@dmarc-ledger/pipeline';
import { builtInLists, readBlocklists, type Blocklist } from '@dmarc-ledger/sources';
import { CodedError } from '@dmarc-ledger/vocabulary';

/** What lookups ask, and where, as the environment says it. */
export interface LookupOptions {
  DNS_SERVERS?: string | undefined;
  DNS_TIMEOUT_MS: number;
  GEOIP_CITY_DB?: string | undefined;
  GEOIP_ASN_DB?: string | undefined;
  ABUSEIPDB_API_KEY?: string | undefined;
  ABUSEIPDB_URL?: string | undefined;
  ABUSEIPDB_CALLS_PER_DAY: number;
  BLOCKLISTS_FILE?: string | undefined;
}

export class LookupOptionError extends CodedError<'dns_servers_invalid' | 'blocklists_invalid'> {
  override readonly retryable = false;
}

export interface OpenLookups {
  outside: Outside;
  lists: readonly Blocklist[];
  geo: Geo;
  close(): Promise<void>;
}

/** Everything that is asked beyond our own tables. */
export async function openLookups(
  options: LookupOptions,
  database: Database,
  onFault: (message: string, error: unknown) => void,
): Promise<OpenLookups> {
  const servers = readServers(options.DNS_SERVERS);
  const lists = await readLists(options.BLOCKLISTS_FILE);
  const dns = openDnsClient({ servers, timeoutMs: options.DNS_TIMEOUT_MS });
  const geo = openGeo({
    ...(options.GEOIP_CITY_DB !== undefined && { cityDb: options.GEOIP_CITY_DB }),
    ...(options.GEOIP_ASN_DB !== undefined && { asnDb: options.GEOIP_ASN_DB }),
  });
  const reputation = openReputation(options, database, onFault);
  const zones = watchZones({ database, dns, lists, onFault });
  return {
    outside: openOutside({ dns, geo, reputation, lists, zones }),
    lists,
    geo,
    async close() {
      await zones.close();
      await reputation.close?.();
    },
  };
}

function openReputation(
  { ABUSEIPDB_API_KEY: key, ABUSEIPDB_URL: url, ABUSEIPDB_CALLS_PER_DAY: callsPerDay }: LookupOptions,
  database: Database,
  onFault: (message: string, error: unknown) => void,
): ReputationProvider & { close?(): Promise<void> } {
  if (key === undefined) return noReputation;
  return abuseIpdb({ key, ...(url && { url }), budget: sharedBudget(database, 'AbuseIPDB', callsPerDay, onFault) });
}

function readServers(text: string | undefined): ServerAddress[] {
  if (text === undefined) return systemServers();
  return text.split(',').map((each) => {
    const server = parseServerAddress(each);
    if (!server)
      throw new LookupOptionError(
        'dns_servers_invalid',
        `DNS_SERVERS: ${each.trim()} is no address with or without port.`,
      );
    return server;
  });
}

async function readLists(path: string | undefined): Promise<readonly Blocklist[]> {
  if (path === undefined) return builtInLists;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LookupOptionError('blocklists_invalid', `BLOCKLISTS_FILE: ${path} cannot be read.`, { cause });
  });
  const { lists, faults } = readBlocklists(text);
  if (faults.length === 0) return lists;
  const sentences = faults.map(({ message }) => message).join(' ');
  throw new LookupOptionError('blocklists_invalid', `BLOCKLISTS_FILE: ${sentences}`);
}
