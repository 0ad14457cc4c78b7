import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onDnsPort } from './dns-port.ts';
import { endWithProcess } from './end-with-process.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const POLL_MS = 20;
const START_MS = 30_000;

/** Records below each origin (`.` for the root), as in a zone file; the SOA and NS records are added. */
export type Zones = { [origin: string]: string };

/** A Knot DNS of one test: authoritative for its zones; it refuses everything else, unless it has the root zone. */
export interface DnsServer extends AsyncDisposable {
  address: string;
  port: number;
  /** Queries that it has answered, by type: `A`, `PTR`, … */
  counts(): Promise<{ [type: string]: number }>;
  /** The same for one of its zones, whatever the type. */
  countOf(zone: string): Promise<number>;
  /** The DS records of a zone that it signs, for a resolver to trust. */
  trustAnchors(zone: string): Promise<string[]>;
}

export interface KnotOptions {
  /** Zones that it signs. */
  signed?: string[];
  /** Loopback addresses at which it answers besides 127.0.0.1. */
  alsoAt?: string[];
}

/** Starts this program on zones. */
export async function startKnot(program: string, zones: Zones, options: KnotOptions = {}): Promise<DnsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-dns-'));
  mkdirSync(join(folder, 'zones'));
  for (const [origin, records] of Object.entries(zones)) writeFileSync(zoneFile(folder, origin), zoneText(records));
  const { port, child } = await onDnsPort(async (free) => {
    writeFileSync(join(folder, 'knot.conf'), configuration(folder, free, Object.keys(zones), options));
    return { port: free, child: await start(program, folder) };
  });
  return {
    address: HOST,
    port,
    counts: () => readCounts(program, folder),
    countOf: (zone) => readCount(program, folder, zone),
    trustAnchors: (zone) => readTrustAnchors(program, folder, zone),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function zoneFile(folder: string, origin: string): string {
  return join(folder, 'zones', origin === '.' ? 'root.zone' : `${origin}.zone`);
}

function zoneText(records: string): string {
  return `$TTL 300\n@ SOA ns.test. hostmaster.test. 1 3600 600 86400 120\n@ NS ns.test.\n${records}\n`;
}

function configuration(folder: string, port: number, origins: string[], options: KnotOptions): string {
  const { signed = [], alsoAt = [] } = options;
  const signing = '\n    dnssec-signing: on\n    dnssec-policy: test';
  const zones = origins.map(
    (origin) =>
      `  - domain: "${origin}"\n    file: "${zoneFile(folder, origin)}"${signed.includes(origin) ? signing : ''}`,
  );
  const places = [HOST, ...alsoAt].map((address) => `${address}@${port}`);
  return `server:
  rundir: "${folder}"
  listen: [${places.join(', ')}]
  udp-workers: 2
  tcp-workers: 1
  background-workers: 1
database:
  storage: "${folder}"
log:
  - target: "${join(folder, 'knot.log')}"
    any: warning
mod-stats:
  - id: types
    query-type: on
policy:
  - id: test
    algorithm: ecdsap256sha256
    single-type-signing: on
template:
  - id: default
    journal-content: none
    zonefile-sync: -1
    global-module: mod-stats/types
    module: mod-stats/types
zone:
${zones.join('\n')}
`;
}

async function start(program: string, folder: string): Promise<ChildProcess> {
  const child = spawn(program, ['-c', join(folder, 'knot.conf')], { stdio: 'ignore' });
  endWithProcess(child);
  const lastMs = Date.now() + START_MS;
  while (child.exitCode === null && Date.now() < lastMs) {
    if (await isReady(program, folder)) return child;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`${program} did not start; its configuration is in ${folder}`);
}

/** It accepts commands once it serves. */
function isReady(program: string, folder: string): Promise<boolean> {
  return control(program, folder, ['status']).then(
    () => true,
    () => false,
  );
}

async function readCounts(program: string, folder: string): Promise<{ [type: string]: number }> {
  const text = await control(program, folder, ['stats', 'mod-stats.query-type']);
  const rows = text.matchAll(/query-type\[(\S+)\] = (\d+)/g);
  return Object.fromEntries([...rows].map(([, type, count]) => [type, Number(count)]));
}

async function readCount(program: string, folder: string, zone: string): Promise<number> {
  const text = await control(program, folder, ['zone-stats', zone, 'mod-stats.query-type']);
  return [...text.matchAll(/query-type\[\S+\] = (\d+)/g)].reduce((sum, [, number]) => sum + Number(number), 0);
}

async function readTrustAnchors(program: string, folder: string, zone: string): Promise<string[]> {
  const { stdout } = await run(join(dirname(program), 'keymgr'), ['-c', join(folder, 'knot.conf'), zone, 'ds']);
  return stdout.split('\n').filter((line) => / DS /.test(line));
}

async function control(program: string, folder: string, command: string[]): Promise<string> {
  const { stdout } = await run(join(dirname(program), 'knotc'), ['-s', join(folder, 'knot.sock'), ...command]);
  return stdout;
}
