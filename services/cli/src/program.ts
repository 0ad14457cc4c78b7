import { VERSION } from '@dmarc-ledger/standalone-service/version';
import { Command } from 'commander';
import { present } from '@dmarc-ledger/vocabulary';
import { errorText } from './error-text.ts';

/** A file for each subcommand, loaded when it is called, so that a command starts fast. */
const commands: { readonly [name: string]: () => Promise<Command> } = {
  start: async () => (await import('./commands/start.ts')).startCommand(),
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  partition: async () => (await import('./commands/partition.ts')).partitionCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  org: async () => (await import('./commands/org.ts')).orgCommand(),
  plan: async () => (await import('./commands/plan.ts')).planCommand(),
  user: async () => (await import('./commands/user.ts')).userCommand(),
  'sign-in': async () => (await import('./commands/sign-in.ts')).signInCommand(),
  key: async () => (await import('./commands/key.ts')).keyCommand(),
  domain: async () => (await import('./commands/domain.ts')).domainCommand(),
  mailbox: async () => (await import('./commands/mailbox.ts')).mailboxCommand(),
  ingest: async () => (await import('./commands/ingest.ts')).ingestCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
  intake: async () => (await import('./commands/intake.ts')).intakeCommand(),
  sender: async () => (await import('./commands/sender.ts')).senderCommand(),
  event: async () => (await import('./commands/event.ts')).eventCommand(),
  webhook: async () => (await import('./commands/webhook.ts')).webhookCommand(),
  digest: async () => (await import('./commands/digest.ts')).digestCommand(),
  tlsrpt: async () => (await import('./commands/other-reports.ts')).tlsrptCommand(),
  ruf: async () => (await import('./commands/other-reports.ts')).rufCommand(),
  verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
  enforce: async () => (await import('./commands/enforce.ts')).enforceCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  dkim: async () => (await import('./commands/dkim.ts')).dkimCommand(),
  spf: async () => (await import('./commands/spf.ts')).spfCommand(),
  coverage: async () => (await import('./commands/coverage.ts')).coverageCommand(),
  'bulk-sender': async () => (await import('./commands/bulk-sender.ts')).bulkSenderCommand(),
  enrich: async () => (await import('./commands/enrich.ts')).enrichCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshotCommand(),
  purge: async () => (await import('./commands/purge.ts')).purgeCommand(),
  secret: async () => (await import('./commands/secret.ts')).secretCommand(),
};

/** Creates the command `dmarc-ledger` with the called subcommand; with all of them for help, or if none is known. */
export async function makeProgram(called?: string): Promise<Command> {
  const program = new Command('dmarc-ledger')
    .description('Takes in DMARC aggregate reports, counts every message exactly once, and serves the figures.')
    .version(VERSION);
  for (const make of makersFor(called)) program.addCommand(await make());
  return withoutExit(program);
}

function makersFor(called = '') {
  if (called === '--version' || called === '-V') return [];
  return Object.hasOwn(commands, called) ? [present(commands[called])] : Object.values(commands);
}

/**
 * Makes Commander throw on wrong usage at every level, so that only `run-command.ts` sets exit codes, and word it as
 * other errors.
 */
function withoutExit(command: Command): Command {
  command
    .exitOverride()
    .showHelpAfterError(`(${pathOf(command)} --help shows how it is used)`)
    .configureOutput({
      outputError: (text, write) => write(errorText(text.replace(/^error: /, 'dmarc-ledger: '))),
    });
  for (const sub of command.commands) withoutExit(sub);
  return command;
}

/** The words that call a command: `dmarc-ledger key create`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
