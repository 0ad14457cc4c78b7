import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Ledger } from './ledger.ts';

export const PROGRAM = fileURLToPath(new URL('../bin/dmarc-ledger.js', import.meta.url));

/** A service of the product in a process of its own. */
export interface Served {
  child: ChildProcess;
  url: URL;
}

interface Answer {
  status: number;
  body: string;
}

/** Starts `serve api` or `serve web` on a ledger, on a free port. */
export async function serve(service: 'api' | 'web', { url: databaseUrl }: Ledger): Promise<Served> {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: databaseUrl, PORT: '0', ADMIN_PORT: '0', ABUSE_LIMIT_PER_MINUTE: '1000000' };
  const child = spawn(process.execPath, [PROGRAM, 'serve', service], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    if (!line.includes('"service.ready"')) continue;
    child.stderr.resume();
    return { child, url: new URL((JSON.parse(line) as { address: string }).address) };
  }
  throw new Error(`serve ${service} did not start`);
}

export async function stop({ child }: Served): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** How often, and by how many clients, an address is requested. */
export interface Asking {
  path: string;
  headers: { [name: string]: string };
  clients: number;
  seconds: number;
}

/** Milliseconds of every answer, in order of time; any that is no 200 ends the run. */
export async function ask({ url }: Served, { path, headers, clients, seconds }: Asking): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < until) {
      const begun = performance.now();
      const { status, body } = await get(new URL(path, url), headers, agent);
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${body.slice(0, 500)}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return times;
}

export function get(url: URL, headers: Asking['headers'], agent = new Agent()): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => void pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

export function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

export function residentMiB({ child: { pid } }: Served): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1_024;
}
