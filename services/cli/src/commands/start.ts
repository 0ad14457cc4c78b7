import { isStartedByNpm, openLogger, readEnv, runService, useFailPoints } from '@dmarc-ledger/runtime';
import { counted, groupedDigits, idText } from '@dmarc-ledger/vocabulary';
import { startStandalone, type Standalone } from '@dmarc-ledger/standalone-service';
import { ingestPaths, takeInSamples, type IngestSummary } from '@dmarc-ledger/standalone-service/ingest';
import { serviceEnv } from '@dmarc-ledger/standalone-service/services';
import { Command, Option } from 'commander';
import { examples } from '../options.ts';
import { printJson } from '../print.ts';
import { openProgress } from '../progress.ts';
import { refusalLines } from '../refusal-lines.ts';

interface StartOptions {
  port?: string;
  data?: string;
  samples: boolean;
  json?: boolean;
}

export function startCommand(): Command {
  return new Command('start')
    .argument('[path...]', 'files and folders to take in instead of the sample reports')
    .description('run all services as one process, on an embedded database unless DATABASE_URL is set')
    .option('--port <n>', 'the port of the API')
    .option('--data <dir>', 'the folder for the data')
    .option('--no-samples', 'do not take in the sample reports')
    .addOption(new Option('--json', 'print one JSON document once it is ready'))
    .addHelpText('after', examples('start', 'start reports/ --data ./data --port 8080'))
    .action((paths: string[], options: StartOptions) => start(paths, options));
}

async function start(paths: string[], { port, data, samples, json }: StartOptions): Promise<void> {
  const env = readEnv(serviceEnv, { ...process.env, ...(port && { PORT: port }), ...(data && { DATA_DIR: data }) });
  const log = openLogger({ name: 'standalone', level: env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL });
  useFailPoints(env, log);
  await runService(
    'dmarc-ledger',
    async (use) => {
      const say = sayOn(json ? process.stderr : process.stdout);
      const wantsSamples = samples && paths.length === 0;
      const standalone = await startStandalone(env, use, log, { onProgress: say, samples: wantsSamples });
      const what = paths.length > 0 ? 'deliveries' : 'sample reports';
      const summary = paths.length > 0 || wantsSamples ? await takeIn(standalone, what, paths) : undefined;
      if (summary) say(`${what}: ${sentence(summary)}`);
      if (summary && paths.length > 0) refusalLines(summary.refusals).forEach(say);
      if (json) printJson(toJson(standalone, summary));
      else greet(standalone);
    },
    { log, withParent: isStartedByNpm(process.env) },
  );
}

/** Ingests the files at the paths, or the bundled samples if there are none, with a progress bar on a terminal. */
async function takeIn(
  { host, first: { orgId, isOwn } }: Standalone,
  what: string,
  paths: string[],
): Promise<IngestSummary | undefined> {
  if (paths.length === 0 && !isOwn) return undefined;
  const progress = openProgress(what);
  const onProgress = progress.update;
  const taking =
    paths.length > 0 ? ingestPaths({ ...host, onProgress }, orgId, paths) : takeInSamples(host, orgId, onProgress);
  return await taking.finally(progress.stop);
}

function sentence({ received, stored, duplicates, refused, reports, records }: IngestSummary): string {
  const content = `${counted(reports, 'report')}, ${counted(records, 'record')}`;
  const [all, kept, failed] = [received, stored, refused].map(groupedDigits);
  return `${all} received, ${kept} stored (${content}), ${counted(duplicates, 'duplicate')}, ${failed} refused`;
}

/** The last lines of a start: the addresses, the key, and requests to try. */
function greet({ apiUrl, uploadUrl, signInUrl, first: { key } }: Standalone): void {
  const header = `-H 'Authorization: Bearer ${key}'`;
  process.stdout.write(`
DMARC Ledger is ready. Open this link to look at it; it signs you in once:

  ${signInUrl}

  API     ${apiUrl}/v1    (documentation: ${apiUrl}/docs)
  uploads ${uploadUrl}/ingest/v1/reports
  key     ${key}

  curl -s ${header} ${apiUrl}/v1/statistics
  curl -s ${header} '${apiUrl}/v1/trends?days=30'
  curl -s ${header} '${apiUrl}/v1/reports?limit=5'

Stop with Ctrl-C; the data stays.
`);
}

/** The same as JSON. */
function toJson(
  { apiUrl, uploadUrl, signInUrl, first: { orgId, key } }: Standalone,
  summary: IngestSummary | undefined,
) {
  return { apiUrl, uploadUrl, signInUrl, org: idText(orgId), key, ingested: summary ?? null };
}

function sayOn(stream: NodeJS.WritableStream): (line: string) => void {
  return (line) => void stream.write(`${line}\n`);
}
