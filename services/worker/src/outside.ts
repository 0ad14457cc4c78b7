import { readFile } from 'node:fs/promises';
import type { Database } from '@dmarc-ledger/schema';
import {
  abuseIpdb,
  guardedFetch,
  isPublicAddress,
  noReputation,
  openDnsClient,
  openGeo,
  openZoneAsker,
  parseServerAddress,
  smtpProbe,
  systemServers,
  type DnsClient,
  type Geo,
  type ReputationProvider,
  type ServerAddress,
} from '@dmarc-ledger/lookups';
import type { Ask } from '@dmarc-ledger/dns-records';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { askDns, openOutside, sharedBudget, watchZones, type Outside } from '@dmarc-ledger/pipeline';
import type { Env, lookupEnv, Metrics } from '@dmarc-ledger/runtime';
import { builtInLists, readBlocklists, type Blocklist } from '@dmarc-ledger/sources';
import { CodedError } from '@dmarc-ledger/vocabulary';
import { countAnswers, showOutside } from './work-metrics.ts';

/** The environment variables of lookups. */
export type LookupOptions = Env<typeof lookupEnv>;

class LookupOptionError extends CodedError<'dns_servers_invalid' | 'blocklists_invalid' | 'ca_file_invalid'> {
  override readonly retryable = false;
}

export interface OpenLookups {
  /** Undefined when addresses are not looked up. */
  outside: Outside | undefined;
  askDns: (signal: AbortSignal) => Ask;
  lists: readonly Blocklist[];
  geo: Geo;
  dns: DnsClient;
  close(): Promise<void>;
}

/** All external lookups. */
export async function openLookups(
  options: LookupOptions,
  database: Database,
  onFault: (message: string, error: unknown) => void,
  metrics?: Metrics,
): Promise<OpenLookups> {
  const answers = metrics && countAnswers(metrics);
  const servers = readServers(options.DNS_SERVERS);
  const lists = await readLists(options.BLOCKLISTS_FILE);
  const isAllowed = options.ALLOW_PRIVATE_ADDRESSES === 'on' ? () => true : isPublicAddress;
  const dns = openDnsClient({
    servers,
    timeoutMs: options.DNS_TIMEOUT_MS,
    isAllowedServer: isAllowed,
    organizationalDomain: publicSuffixDomains(),
    ...(answers && { onQuery: answers.onQuery }),
  });
  const geo = openGeo({
    ...(options.GEOIP_CITY_DB !== undefined && { cityDb: options.GEOIP_CITY_DB }),
    ...(options.GEOIP_ASN_DB !== undefined && { asnDb: options.GEOIP_ASN_DB }),
    onFailure: (error) => onFault('Geo data could not be read.', error),
  });
  const reputation = openReputation(options, database, onFault);
  const search = { client: dns, port: options.DNS_AUTHORITATIVE_PORT, isAllowed };
  const https = guardedFetch({
    client: dns,
    port: options.MTA_STS_PORT,
    isAllowed,
    ca: await readCa(options.MTA_STS_CA_FILE),
  });
  const smtp =
    options.SMTP_PROBE === 'on' ? smtpProbe({ client: dns, port: options.SMTP_PROBE_PORT, isAllowed }) : undefined;
  const isValidating = options.DNS_VALIDATING === 'on';
  const isEnriching = options.ENRICHMENT === 'on';
  if (metrics) showOutside(metrics, database, { lists, budget: budgetOf(options) });
  const asker = openZoneAsker({ client: dns });
  const zones = isEnriching ? watchZones({ database, asker, lists, onFault }) : undefined;
  return {
    outside: zones && openOutside({ dns, geo, reputation, lists, zones, asker, observer: answers?.observer }),
    askDns: (signal) => askDns({ dns, search, https, smtp, isValidating }, signal),
    lists,
    geo,
    dns,
    async close() {
      await zones?.close();
      await reputation.close?.();
    },
  };
}

const REPUTATION = 'AbuseIPDB';

/** The daily budget of the reputation service, where one is configured. */
function budgetOf({ ABUSEIPDB_API_KEY: key, ABUSEIPDB_CALLS_PER_DAY: callsPerDay }: LookupOptions) {
  return key === undefined ? undefined : { service: REPUTATION, callsPerDay };
}

function openReputation(
  { ABUSEIPDB_API_KEY: key, ABUSEIPDB_URL: url, ABUSEIPDB_CALLS_PER_DAY: callsPerDay }: LookupOptions,
  database: Database,
  onFault: (message: string, error: unknown) => void,
): ReputationProvider & { close?(): Promise<void> } {
  if (key === undefined) return noReputation;
  return abuseIpdb({ key, ...(url && { url }), budget: sharedBudget(database, REPUTATION, callsPerDay, onFault) });
}

function readServers(text: string | undefined): ServerAddress[] {
  if (text === undefined) return systemServers();
  return text.split(',').map((each) => {
    const server = parseServerAddress(each);
    if (!server)
      throw new LookupOptionError(
        'dns_servers_invalid',
        `DNS_SERVERS: ${each.trim()} is not an address with or without a port.`,
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

async function readCa(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LookupOptionError('ca_file_invalid', `MTA_STS_CA_FILE: ${path} cannot be read.`, { cause });
  });
}
