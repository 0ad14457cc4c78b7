import { isStartedByNpm, openLogger, readEnv, runService, useFailPoints } from '@dmarc-ledger/runtime';
import {
  openAdmin,
  openHost,
  serviceEnv,
  serviceNames,
  startService,
  type ServiceName,
} from '@dmarc-ledger/standalone-service/services';
import { Argument, Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples } from '../options.ts';
import { printJson } from '../print.ts';

interface ServeOptions {
  queues?: string[];
  json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run one service until it is stopped, for compose and Kubernetes')
    .addArgument(new Argument('<service>', 'which service').choices(serviceNames))
    .option('--queues <names>', 'for the worker: serve only these queues, separated by commas', readQueues)
    .addOption(new Option('--json', 'print one JSON document on standard output once it is ready'))
    .addHelpText('after', examples('serve api', 'serve worker --queues rollups'))
    .action((service: ServiceName, options: ServeOptions) => serve(service, options));
}

function readQueues(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

/** A misspelt queue would wait for ever, and its worker look busy. */
async function checkQueues(service: ServiceName, queues: readonly string[] | undefined): Promise<void> {
  if (queues === undefined) return;
  if (service !== 'worker') throw new CliError('usage', `--queues is for serve worker; serve ${service} has none.`);
  const { queueNames } = await import('@dmarc-ledger/queues'); // loads much, which no help needs
  const unknown = queues.filter((name) => !queueNames.includes(name));
  if (unknown.length > 0)
    throw new CliError('usage', `There is no queue named ${unknown.join(', ')}; there are ${queueNames.join(', ')}.`);
}

async function serve(service: ServiceName, { queues, json }: ServeOptions): Promise<void> {
  await checkQueues(service, queues);
  const env = readEnv(serviceEnv, process.env);
  const log = openLogger({ name: service, level: env.LOG_LEVEL });
  useFailPoints(env, log);
  await runService(
    service,
    async (use) => {
      const host = await openHost({ service, log, queues }, env, use);
      const running = await startService(service, env, host, use);
      await openAdmin(env, host, running, use);
      const { address } = running;
      log.info({ event: 'service.ready', address }, 'ready');
      if (json) printJson({ service, address });
    },
    { log, withParent: isStartedByNpm(process.env) },
  );
}
