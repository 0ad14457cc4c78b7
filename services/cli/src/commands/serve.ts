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
import { examples } from '../options.ts';
import { printJson } from '../print.ts';

interface ServeOptions {
  queues?: string[];
  json?: boolean;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('run one service until it is stopped, for compose and Kubernetes')
    .addArgument(new Argument('<service>').choices(serviceNames))
    .option('--queues <names>', 'for the worker: serve only these queues, separated by commas', (text: string) =>
      text.split(','),
    )
    .addOption(new Option('--json', 'print one JSON document on standard output once it is ready'))
    .addHelpText('after', examples('serve api', 'serve worker --queues rollups'))
    .action((service: ServiceName, options: ServeOptions) => serve(service, options));
}

async function serve(service: ServiceName, { queues, json }: ServeOptions): Promise<void> {
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
