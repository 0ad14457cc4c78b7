import { listenHttp, makeMcpServers, openLedgerApi, serveStdio, type McpServers } from '@dmarc-ledger/mcp';
import { isStartedByNpm, openLogger, runService } from '@dmarc-ledger/runtime';
import { VERSION } from '@dmarc-ledger/standalone-service/version';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples } from '../options.ts';
import { printJson } from '../print.ts';

interface McpOptions {
  url: string;
  pages?: string;
  keyEnv: string;
  http?: number;
  host: string;
  json?: boolean;
}

export function mcpCommand(): Command {
  return new Command('mcp')
    .description('serve the API to an assistant as read-only tools (Model Context Protocol)')
    .option('--url <url>', 'where the API is', 'http://127.0.0.1:8080')
    .option('--pages <url>', 'where the pages for people are (default: where the API is)')
    .option('--key-env <variable>', 'the environment variable that holds the API key', 'DMARC_LEDGER_KEY')
    .option('--http <port>', 'serve streamable HTTP on this port; each request brings its own key', readPort)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .addOption(new Option('--json', 'with --http: print one JSON document on standard output once it is ready'))
    .addHelpText('after', examples('mcp --url https://ledger.example.com', 'mcp --http 8787'))
    .action(async ({ url, pages, keyEnv, http, host, json }: McpOptions) => {
      const key = http === undefined ? readKey(keyEnv) : '';
      const pagesOrigin = pages === undefined ? undefined : openLedgerApi(pages).origin;
      const servers = await makeMcpServers(openLedgerApi(url), VERSION, pagesOrigin);
      if (http === undefined) await serveStdio(servers, key);
      else await serveHttp(servers, { host, port: http }, json);
    });
}

async function serveHttp(servers: McpServers, at: { host: string; port: number }, json = false): Promise<void> {
  const log = openLogger({ name: 'mcp', level: 'info' });
  await runService(
    'mcp',
    async (use) => {
      const { url } = use(await listenHttp(servers, at), (running) => running.close());
      log.info({ event: 'service.ready', address: url }, 'ready');
      if (json) printJson({ service: 'mcp', address: url });
    },
    { log, withParent: isStartedByNpm(process.env) },
  );
}

function readKey(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new CliError('usage', `Set ${name} to an API key; make one with: dmarc-ledger key create --org ORG`);
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a port: 0 to 65535.');
}
