import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Ledger } from './ledger.ts';

/** Clients that request at the same time, where there are many. */
export const CLIENTS = 16;
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

/** How often, and by how many clients, addresses are requested in turn; each is at least once. */
export interface Asking {
  paths: readonly string[];
  headers: { [name: string]: string };
  clients: number;
  seconds: number;
  /** Runs before each request, outside its time. */
  before?: (() => Promise<unknown>) | undefined;
  /** Is given each answer that is no 200, whose time counts; without it such an answer ends the run. */
  onFailure?: (text: string) => void;
}

export interface Answered {
  path: string;
  ms: number;
}

/** The time of every answer, in order of time. */
export async function ask({ url }: Served, asking: Asking): Promise<Answered[]> {
  const { paths, headers, clients, seconds, before, onFailure = fail } = asking;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const answers: Answered[] = [];
  const until = performance.now() + seconds * 1_000;
  let asked = 0;
  const client = async () => {
    while (performance.now() < until || asked < paths.length) {
      const path = paths[asked % paths.length]!;
      asked += 1;
      await before?.();
      const begun = performance.now();
      const { status, body } = await get(new URL(path, url), headers, agent);
      if (status !== 200) onFailure(`${path} was answered ${status}: ${body.slice(0, 500)}`);
      answers.push({ path, ms: performance.now() - begun });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return answers;
}

function fail(text: string): never {
  throw new Error(text);
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

/** Milliseconds within which this part of the answers came. */
export function quantile(answers: readonly Answered[], part: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

export function residentMiB({ child: { pid } }: Served): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1_024;
}
