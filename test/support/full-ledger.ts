import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, tlsOf } from '../../services/cli/test/other-deliveries.ts';
import { getJson } from './api.ts';
import { openCommandHost, type CommandHost } from './command.ts';
import { startInstance } from './instance.ts';

const PLACEMENT = join(import.meta.dirname, '../../packages/aprf/test/fixtures/001-two-providers-reports.report.json');
const ORG = ['--org', 'My organization'];

/** Tables that a full ledger has rows in: everything an organization has, and what is known for all. */
export const FILLED = `
  organization app_user api_key plan raw_message payload domain reporter report report_revision
  stored_record record_detail report_record source_domain_day source_total domain_day org_total tlsrpt_report tlsrpt_failure
  aprf_report aprf_row failure_report mailbox mailbox_progress event delivery_target score_snapshot
  dkim_selector usage_hour`
  .trim()
  .split(/\s+/);

/**
 * Fills a ledger with data of every kind by commands: sample reports, other reports, mailboxes, keys, users, a plan, a
 * target of notifications. Returns the statistics that the API returns in the end.
 */
export async function fillLedger(env: { [name: string]: string }, folder: string): Promise<unknown> {
  using commands = openCommandHost();
  const run = async (...args: string[]) => {
    const { code, stderr } = await commands.run(args, { ...env, REPORTS_PASSWORD: 'secret' });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  };
  const instance = await startInstance(env['DATA_DIR'] ?? folder, [], env);
  const files = { 'tls.json': tlsOf('tls-1', 'example.com'), 'failure.eml': failureOf('example.com') };
  const paths = Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  });
  await run('plan', 'set', 'large', '--hourly-quota', '1000');
  await run('org', 'set', await idOfOrganization(commands, env), '--plan', 'large');
  await run('domain', 'add', 'example.com', 'watched.example', ...ORG, '--forensic', '--tlsrpt', '--aprf');
  await run('ingest', ...paths, PLACEMENT, ...ORG);
  await run('user', 'add', 'anna@example.com', ...ORG, '--role', 'analyst');
  await run('key', 'create', ...ORG, '--owner', 'anna@example.com', '--scope', 'read');
  const place = ['--host', '127.0.0.1', '--port', '9', '--user', 'reports', '--password-env', 'REPORTS_PASSWORD'];
  await run('mailbox', 'add', ...ORG, ...place);
  await run('webhook', 'add', 'https://hooks.example.com/dmarc', ...ORG);
  await run('snapshot', 'rebuild', ...ORG);
  const statistics = await getJson(`${instance.apiUrl}/v1/statistics`, instance.key);
  await instance.end('SIGTERM');
  return statistics;
}

async function idOfOrganization(commands: CommandHost, env: { [name: string]: string }): Promise<string> {
  const { stdout } = await commands.run(['org', 'list', '--json'], env);
  const [first] = JSON.parse(stdout) as { id: string }[];
  if (!first) throw new Error('There is no organization.');
  return first.id;
}
