import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onDnsPort } from './dns-port.ts';
import { endWithProcess } from './end-with-process.ts';

const HOST = '127.0.0.1';
const POLL_MS = 20;
const START_MS = 30_000;

/** A validating resolver of one test. */
export interface Resolver extends AsyncDisposable {
  address: string;
  port: number;
}

export interface ResolverOptions {
  /** The servers of zones, by zone; all other names are unknown to it. */
  upstream: { address: string; port: number };
  zones: readonly string[];
  /** DS records of the signed ones that it trusts. */
  trustAnchors: readonly string[];
}

/** Starts this program. */
export async function startUnbound(program: string, options: ResolverOptions): Promise<Resolver> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-resolver-'));
  const file = join(folder, 'unbound.conf');
  const { port, child } = await onDnsPort(async (free) => {
    writeFileSync(file, configuration(folder, free, options));
    return { port: free, child: await start(program, file, free) };
  });
  return {
    address: HOST,
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(program: string, file: string, port: number): Promise<ChildProcess> {
  const child = spawn(program, ['-d', '-p', '-c', file], { stdio: 'ignore' });
  endWithProcess(child);
  const lastMs = Date.now() + START_MS;
  while (child.exitCode === null && Date.now() < lastMs) {
    if (await isListening(port)) return child;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`${program} did not start; its configuration is ${file}`);
}

/** Names under `test` are not answered unless that is disabled. */
function configuration(folder: string, port: number, { upstream, zones, trustAnchors }: ResolverOptions): string {
  const stubs = zones.map(
    (zone) => `stub-zone:\n  name: "${zone}"\n  stub-addr: ${upstream.address}@${upstream.port}\n  stub-prime: no`,
  );
  return `server:
  interface: ${HOST}
  port: ${port}
  access-control: 127.0.0.0/8 allow
  do-daemonize: no
  do-not-query-localhost: no
  do-ip6: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  logfile: "${join(folder, 'unbound.log')}"
  module-config: "validator iterator"
  local-zone: "test." nodefault
  num-threads: 1
${trustAnchors.map((anchor) => `  trust-anchor: "${anchor}"`).join('\n')}
remote-control:
  control-enable: no
${stubs.join('\n')}
`;
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  return once(socket, 'connect').then(
    () => Boolean(socket.destroy()),
    () => false,
  );
}
