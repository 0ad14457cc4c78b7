import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@dmarc-ledger/local-postgres';
import type { Bench } from '../bench.ts';
import { commandEnv, startArguments } from '../command.ts';
import { digits, type Row } from '../row.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AT_MOST_MIB = 300;
const KIB_IN_MIB = 1024;
/** All lookups have been made at least once by then, so that what they hold is loaded. */
const SETTLED_MS = { full: 60_000, quick: 20_000 };
/** A process that serves one page and nothing else. */
const FLOOR = `require('node:http').createServer((_, res) => res.end()).listen(0, '127.0.0.1')`;

/** What `npm start` holds once the samples are taken in and nothing is left to do, beside a bare server of Node.js. */
export async function idle({ lab, options }: Bench): Promise<Row[]> {
  const databaseUrl = await lab.createDatabase(true);
  const dataDir = await mkdtemp(join(lab.folder, 'data-'));
  const port = await freePort();
  const product = startOf(startArguments(), {
    ...commandEnv({ databaseUrl, dataDir }),
    ENRICHMENT: 'on',
    PORT: String(port),
    INGEST_PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
  });
  const floor = startOf(['-e', FLOOR], {});
  try {
    await untilUp(port, product);
    await sleep(SETTLED_MS[options.isQuick ? 'quick' : 'full']);
    const [used, bare] = [residentMib(product), residentMib(floor)];
    return [
      {
        name: 'memory idle',
        detail:
          `resident, npm start with its samples; a bare server of Node.js ${digits(bare)}: ` +
          `${digits(used / bare)} ×`,
        unit: 'MiB',
        measured: { median: used, min: used, max: used },
        target: { atMost: AT_MOST_MIB },
      },
    ];
  } finally {
    floor.kill();
    product.kill();
    await once(product, 'exit');
    await lab.dropDatabase(databaseUrl);
    await rm(dataDir, { recursive: true });
  }
}

function startOf(args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function untilUp(port: number, { exitCode }: ChildProcess): Promise<void> {
  for (;;) {
    if (exitCode !== null) throw new Error(`npm start ended with ${exitCode}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(200);
  }
}

function residentMib({ pid }: ChildProcess): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kib) / KIB_IN_MIB;
}
