import {
  adminEnv,
  apiEnv,
  deliveryEnv,
  failPointEnv,
  cacheEnv,
  isStartedByNpm,
  limitEnv,
  lookupEnv,
  mailboxEnv,
  openLogger,
  readEnv,
  retentionEnv,
  runService,
  tracingEnv,
  uploadEnv,
  useFailPoints,
} from '@dmarc-ledger/runtime';
import { startStandalone, type Standalone } from '@dmarc-ledger/standalone-service';
import { installationEnv } from '@dmarc-ledger/standalone-service/installation';
import { ingestPaths, takeInSamples, type IngestSummary } from '@dmarc-ledger/standalone-service/ingest';
import { Command } from 'commander';
import { openProgress } from '../progress.ts';

interface StartOptions {
  port?: string;
  data?: string;
  samples: boolean;
}

const startEnv = {
  ...installationEnv,
  ...apiEnv,
  ...cacheEnv,
  ...limitEnv,
  ...uploadEnv,
  ...adminEnv,
  ...failPointEnv,
  ...mailboxEnv,
  ...retentionEnv,
  ...lookupEnv,
  ...deliveryEnv,
  ...tracingEnv,
};

export function startCommand(): Command {
  return new Command('start')
    .argument('[path...]', 'what to take in instead of the sample reports')
    .description('all services as one process, on an embedded database unless DATABASE_URL is set')
    .option('--port <n>', 'the port of the API')
    .option('--data <dir>', 'where the data lives')
    .option('--no-samples', 'take in nothing')
    .action((paths: string[], options: StartOptions) => start(paths, options));
}

async function start(paths: string[], { port, data, samples }: StartOptions): Promise<void> {
  const env = readEnv(startEnv, { ...process.env, ...(port && { PORT: port }), ...(data && { DATA_DIR: data }) });
  const log = openLogger({ name: 'standalone', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  useFailPoints(env, log);
  await runService(
    'dmarc-ledger',
    async (use) => {
      const standalone = await startStandalone(env, use, log, say);
      if (paths.length > 0) await takeIn(standalone, 'deliveries', paths);
      else if (samples) await takeIn(standalone, 'sample reports');
      greet(standalone);
    },
    { log, withParent: isStartedByNpm(process.env) },
  );
}

/** Takes in what is at the paths, or the bundled samples, with a bar on a terminal and a sentence at the end. */
async function takeIn({ installation, first: { orgId } }: Standalone, what: string, paths?: string[]): Promise<void> {
  const progress = openProgress(what);
  const onProgress = progress.update;
  const taking = paths
    ? ingestPaths({ ...installation, onProgress }, orgId, paths)
    : takeInSamples(installation, orgId, onProgress);
  const summary = await taking.finally(progress.stop);
  if (summary) say(`${what}: ${sentence(summary)}`);
}

function sentence({ received, stored, duplicates, refused, reports, records }: IngestSummary): string {
  return `${received} received, ${stored} stored (${reports} reports, ${records} records), ${duplicates} duplicates, ${refused} refused`;
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
