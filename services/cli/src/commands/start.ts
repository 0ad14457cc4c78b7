import { adminEnv, apiEnv, openLogger, readEnv, runService, uploadEnv } from '@dmarc-ledger/runtime';
import { sampleReports } from '@dmarc-ledger/samples';
import { houseEnv, ingestPaths, startStandalone, type IngestSummary, type Standalone } from '@dmarc-ledger/standalone-service';
import { dayOf } from '@dmarc-ledger/vocabulary';
import type { Arrival } from '@dmarc-ledger/pipeline';
import { Command } from 'commander';
import { openProgress } from '../progress.ts';

interface StartOptions {
  port?: string;
  data?: string;
  samples: boolean;
}

const startEnv = { ...houseEnv, ...apiEnv, ...uploadEnv, ...adminEnv };

export function startCommand(): Command {
  return new Command('start').argument('[path...]', 'what to take in instead of the sample reports')
    .description('all services as one process, on an embedded database unless DATABASE_URL is set')
    .option('--port <n>', 'the port of the API').option('--data <dir>', 'where the data lives').option('--no-samples', 'take in nothing')
    .action((paths: string[], options: StartOptions) => start(paths, options));
}

async function start(paths: string[], { port, data, samples }: StartOptions): Promise<void> {
  const env = readEnv(startEnv, { ...process.env, ...(port && { PORT: port }), ...(data && { DATA_DIR: data }) });
  const log = openLogger({ name: 'standalone', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  await runService('dmarc-ledger', async (use) => {
    const standalone = await startStandalone(env, use, log, say);
    const arrivals = paths.length > 0 ? paths : samples && standalone.first.isNew ? sampleArrivals() : undefined;
    if (arrivals) await takeIn(standalone, arrivals, paths.length > 0 ? 'deliveries' : 'sample reports');
    greet(standalone);
  }, { log });
}

async function takeIn({ house, first }: Standalone, arrivals: Iterable<string> | AsyncIterable<Arrival>, what: string): Promise<void> {
  say(`taking in ${what} …`);
  const progress = openProgress(what);
  const summary = await ingestPaths({ ...house, onProgress: progress.update }, first.orgId, arrivals).finally(progress.stop);
  say(sentence(summary));
}

function sentence({ received, stored, duplicates, refused, reports, records }: IngestSummary): string {
  return `${received} received: ${stored} stored (${reports} reports, ${records} records), ${duplicates} duplicates, ${refused} refused`;
}

async function* sampleArrivals(): AsyncGenerator<Arrival> {
  for (const { name, bytes } of sampleReports({ today: dayOf(Date.now() / 1000) })) yield { content: bytes, source: 'file', name };
}

/** The last lines of a start: where it is, the key, and what to try. */
function greet({ apiUrl, uploadUrl, first: { key } }: Standalone): void {
  const header = `-H 'Authorization: Bearer ${key}'`;
  process.stdout.write(`
DMARC Ledger is ready.

  API     ${apiUrl}/v1    (documentation: ${apiUrl}/docs)
  uploads ${uploadUrl}/ingest/v1/reports
  key     ${key}

  curl -s ${header} ${apiUrl}/v1/statistics
  curl -s ${header} '${apiUrl}/v1/trends?days=30'
  curl -s ${header} '${apiUrl}/v1/reports?limit=5'

Stop with Ctrl-C; the data stays.
`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
