import { Command } from 'commander';
import { auditCommand } from './commands/audit.ts';
import { doctorCommand } from './commands/doctor.ts';
import { domainCommand } from './commands/domain.ts';
import { enrichCommand } from './commands/enrich.ts';
import { eventCommand } from './commands/event.ts';
import { ingestCommand } from './commands/ingest.ts';
import { intakeCommand } from './commands/intake.ts';
import { keyCommand } from './commands/key.ts';
import { mailboxCommand } from './commands/mailbox.ts';
import { migrateCommand } from './commands/migrate.ts';
import { rufCommand, tlsrptCommand } from './commands/other-reports.ts';
import { orgCommand } from './commands/org.ts';
import { planCommand } from './commands/plan.ts';
import { serveCommand } from './commands/serve.ts';
import { snapshotCommand } from './commands/snapshot.ts';
import { startCommand } from './commands/start.ts';
import { userCommand } from './commands/user.ts';
import { verifyCommand } from './commands/verify.ts';

/** The command `dmarc-ledger`, a file for each subcommand. */
export function makeProgram(): Command {
  const program = new Command('dmarc-ledger')
    .description('Takes in DMARC aggregate reports, counts every message exactly once, and serves the figures.')
    .version('0.1.0')
    .showHelpAfterError('(add --help for what there is)');
  for (const make of [
    startCommand,
    serveCommand,
    migrateCommand,
    doctorCommand,
    orgCommand,
    planCommand,
    userCommand,
    keyCommand,
    domainCommand,
    mailboxCommand,
    ingestCommand,
    intakeCommand,
    eventCommand,
    tlsrptCommand,
    rufCommand,
    verifyCommand,
    enrichCommand,
    auditCommand,
    snapshotCommand,
  ]) {
    program.addCommand(make());
  }
  return withoutExit(program);
}

/** Wrong usage is thrown, at every level, so that one place decides on exit codes. */
function withoutExit(command: Command): Command {
  command.exitOverride();
  for (const sub of command.commands) withoutExit(sub);
  return command;
}
