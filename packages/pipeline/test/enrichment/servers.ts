import { join } from 'node:path';
import { openDnsClient, type DnsClient, type DnsClientOptions } from '@dmarc-ledger/lookups';
import {
  dnsServer,
  faultDns,
  reputationServer,
  writeMmdb,
  type DnsScenario,
  type DnsServer,
  type FaultDns,
  type ReputationServer,
} from '@dmarc-ledger/testkit';
import { blocks, labelsOf, type Address } from './address.ts';
import { hostOf } from './host.ts';
import { answerOf, brokenLists, lists, zonesOf } from './lists.ts';
import { replyOf } from './reputation.ts';

const SILENT = '.silent.test';
const TIRED = '.tired.silent.test';
const canary = '2.0.0.127 A 127.0.0.2';
const canaryV6 = `${labelsOf({ ip: '::ffff:7f00:2', family: 6 })} A 127.0.0.2`;
/** Why a zone is unfit for queries. */
const broken = { world: '* A 127.0.0.2', dead: '', closed: '* A 127.255.255.254' };

export interface Servers extends AsyncDisposable {
  /** Names that stay unanswered are served by servers that do not answer. */
  dns: DnsClient;
  knot: DnsServer;
  /** Answers for one list, but not about all addresses. */
  tired: FaultDns;
  reputation: ReputationServer;
}

/** Everything that lookups query, with exactly the answers of the world about these addresses. */
export async function startServers(
  addresses: readonly Address[],
  options: Partial<DnsClientOptions> = {},
): Promise<Servers> {
  const knot = await dnsServer(zoneTexts(addresses));
  const silent = await faultDns({ '*': { drop: true } });
  const tired = await faultDns(tiredScenario(addresses));
  const reputation = await reputationServer(
    Object.fromEntries(addresses.map((address) => [address.ip, replyOf(address)])),
  );
  const silentNames = new Set(addresses.filter((address) => hostOf(address).isSilent).map(reverseName));
  const usual = openDnsClient({ servers: [knot], timeoutMs: 5_000, ...options });
  const ofSilent = openDnsClient({ servers: [silent], timeoutMs: 300, ...options });
  const ofTired = openDnsClient({ servers: [tired], timeoutMs: 2_000, ...options });
  const clientFor = (name: string) =>
    name.endsWith(TIRED) ? ofTired : name.endsWith(SILENT) || silentNames.has(name) ? ofSilent : usual;
  return {
    knot,
    tired,
    reputation,
    dns: {
      ...usual,
      ask: (name, type, how) => clientFor(name).ask(name, type, how),
      ownerOf: (name) => usual.ownerOf(name),
      askDirectly: () => Promise.reject(new Error('no server is asked directly')),
    },
    async [Symbol.asyncDispose]() {
      await knot[Symbol.asyncDispose]();
      await silent[Symbol.asyncDispose]();
      await tired[Symbol.asyncDispose]();
      await reputation[Symbol.asyncDispose]();
    },
  };
}

/** Files of places and networks; returns their paths. */
export function writeGeoFiles(folder: string): { cityDb: string; asnDb: string } {
  const files = { cityDb: join(folder, 'city.mmdb'), asnDb: join(folder, 'asn.mmdb') };
  const prefixes = <Data>(of: (block: (typeof blocks)[number]) => Data | undefined) =>
    Object.fromEntries(blocks.flatMap((block, i) => (of(block) ? [[`45.${i}.0.0/16`, of(block)!]] : [])));
  writeMmdb(
    files.cityDb,
    prefixes(({ place }) => place),
    new Date('2026-01-01'),
  );
  writeMmdb(
    files.asnDb,
    prefixes(({ network }) => network),
    new Date('2026-01-01'),
  );
  return files;
}

function zoneTexts(addresses: readonly Address[]): { [origin: string]: string } {
  const lines = new Map<string, string[]>();
  const put = (zone: string, line: string) => void (lines.get(zone) ?? lines.set(zone, []).get(zone)!).push(line);
  for (const zone of [
    'in-addr.arpa',
    'ip6.arpa',
    'hosts.test',
    'access.test',
    'sendgrid.net',
    'google.com',
    'improvmx.com',
  ])
    lines.set(zone, []);
  for (const list of lists.filter(({ zone }) => !zone.endsWith(SILENT))) {
    put(list.zone, canary);
    if (list.zoneV6) put(list.zoneV6, canaryV6);
    for (const { zone, line } of zonesOf(list, addresses)) put(zone, line);
  }
  for (const { id, zone } of brokenLists) put(zone, broken[id as keyof typeof broken]);
  for (const { zone, line } of addresses.flatMap((address) => hostOf(address).records))
    if (!zone.endsWith('silent.test')) put(zone, line);
  return { '.': '', ...Object.fromEntries([...lines].map(([zone, all]) => [zone, all.join('\n')])) };
}

function tiredScenario(addresses: readonly Address[]): DnsScenario {
  const list = lists.find(({ zone }) => zone.endsWith(SILENT))!;
  const listed = (labels: string) => ({
    answers: [{ type: 'A' as const, name: `${labels}.${list.zone}`, ttl: 300, data: '127.0.0.2' }],
  });
  const scenario: DnsScenario = { [`2.0.0.127.${list.zone}`]: listed('2.0.0.127') };
  for (const address of addresses.filter(({ family, isPublic }) => family === 4 && isPublic)) {
    const answer = answerOf(list, address);
    const name = `${labelsOf(address)}.${list.zone}`;
    if (answer) scenario[name] = answer === 'silence' ? { drop: true } : listed(labelsOf(address));
  }
  return scenario;
}

function reverseName(address: Address): string {
  return `${labelsOf(address)}.${address.family === 4 ? 'in-addr' : 'ip6'}.arpa`;
}
