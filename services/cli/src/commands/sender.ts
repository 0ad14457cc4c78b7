import { findSenderKeys } from '@dmarc-ledger/facts';
import { decideSender, withdrawDecision } from '@dmarc-ledger/ledger';
import {
  findDecisionChanges,
  findDomainId,
  findSenders,
  type DecisionChange,
  type SenderRow,
} from '@dmarc-ledger/queries';
import { canonicalIp, dayOf, instantText, type SenderDecision, senderDecisions } from '@dmarc-ledger/vocabulary';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter, orgOption } from '../options.ts';
import { listAcross, organizationsOf, orgIdOf, printListed } from '../organizations.ts';
import { printOne } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

const SHOWN = 200;
const WITHDRAWN = 'undecided';
const LONGEST = { owner: 200, note: 2_000 };

export function senderCommand(): Command {
  return new Command('sender')
    .description('senders of the domains, and decisions about them')
    .addCommand(listCommand())
    .addCommand(decideCommand())
    .addCommand(historyCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('services and networks that send as the domains, most mail first')
    .addOption(orgFilter())
    .option('--domain <name>', 'only senders of this domain', readDomainName)
    .option('--limit <n>', 'show at most this many of each organization', readCount, SHOWN)
    .addOption(jsonOption())
    .addHelpText('after', examples('sender list --domain example.com', 'sender list --limit 1000 --json'))
    .action((options: { org?: string; domain?: string; limit: number; json?: boolean }) =>
      withInstallation(async (work) => {
        const find = (orgId: string) => findOf(work, orgId, options);
        printListed(await listAcross(await organizationsOf(work, options.org), find), options, row, toJson);
      }),
    );
}

async function findOf(
  { installation }: Work,
  orgId: string,
  { domain, limit }: { domain?: string; limit: number },
): Promise<SenderRow[]> {
  const { db } = installation.database;
  const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
  if (domain !== undefined && domainId === undefined) return [];
  const page = { sortBy: 'messages', direction: 'desc', limit, offset: 0 } as const;
  return (await findSenders(db, orgId, { domainId, today: dayOf(Date.now() / 1_000) }, page)).rows;
}

function decideCommand(): Command {
  return new Command('decide')
    .argument('<domain>', 'the domain that it sends as', readDomainName)
    .argument('<sender>', 'the sender, as sender list shows it, or one of its addresses')
    .addArgument(new Argument('<decision>', 'what it is').choices([...senderDecisions, WITHDRAWN]))
    .description(`decide whose a sender is; ${WITHDRAWN} withdraws the decision`)
    .addOption(orgOption())
    .option('--owner <name>', 'the person or team responsible for it', readText(LONGEST.owner), '')
    .option('--note <text>', 'why', readText(LONGEST.note), '')
    .option('--by <email>', 'the person who decides', readText(LONGEST.owner), 'cli')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        "sender decide example.com sendgrid ours --owner Marketing --org 'My organization'",
        "sender decide example.com 192.0.2.0/24 not_ours --note 'never seen before' --org 'My organization'",
      ),
    )
    .action(
      (
        domain: string,
        given: string,
        decision: SenderDecision | typeof WITHDRAWN,
        options: { org: string; owner: string; note: string; by: string; json?: boolean },
      ) =>
        withInstallation(async (work) => {
          const { db } = work.installation.database;
          const orgId = await orgIdOf(work, options.org);
          const sender = await senderOf(work, orgId, given);
          const { owner, note, by } = options;
          const isDone =
            decision === WITHDRAWN
              ? await withdrawDecision(db, orgId, { domain, sender }, by)
              : await decideSender(db, orgId, { domain, sender }, { decision, owner, note, by });
          if (!isDone)
            throw new CliError(
              'not_found',
              decision === WITHDRAWN
                ? `Nothing was decided about ${sender} of ${domain}; see: dmarc-ledger sender list`
                : `${sender} sends nothing as ${domain}; see: dmarc-ledger sender list`,
            );
          printOne({ domain, sender, decision: decision === WITHDRAWN ? null : decision }, options);
        }),
    );
}

/** The key of a sender, or of the one that an address belongs to. */
async function senderOf({ installation }: Work, orgId: string, given: string): Promise<string> {
  const ip = canonicalIp(given);
  if (ip === undefined) return given;
  return (await findSenderKeys(installation.database.db, orgId, [ip])).get(ip) ?? given;
}

function historyCommand(): Command {
  return new Command('history')
    .description(`the newest ${SHOWN} changes of decisions, newest first`)
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples("sender history --org 'My organization'"))
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        const find = async (orgId: string) => (await findDecisionChanges(db, orgId, { limit: SHOWN, offset: 0 })).rows;
        printListed(await listAcross(await organizationsOf(work, options.org), find, NEWEST), options, change);
      }),
    );
}

function row(sender: SenderRow) {
  return {
    domain: sender.domain,
    sender: sender.sender,
    addresses: sender.addresses,
    messages: sender.messages,
    compliant: sender.compliant,
    decision: sender.decision,
    owner: sender.owner || null,
    suggestion: sender.suggestion?.decision ?? null,
    evidence: sender.newEvidence.map(({ code }) => code).join(' ') || null,
  };
}

function toJson({ sender, ...found }: SenderRow) {
  const { domain, slug, name, addresses, messages, compliant, spf_pass, dkim_pass, decision, decided_by } = found;
  return {
    domain,
    sender,
    slug,
    name,
    addresses,
    messages,
    compliant_messages: compliant,
    spf_pass,
    dkim_pass,
    first_seen: found.first_seen && instantText(found.first_seen),
    last_seen: found.last_seen && instantText(found.last_seen),
    decision,
    decided_at: found.decided_at && instantText(found.decided_at),
    decided_by,
    owner: found.owner || null,
    note: found.note || null,
    suggestion: found.suggestion?.decision ?? null,
    suggestion_reason: found.suggestion?.reason ?? null,
    new_evidence: found.newEvidence,
  };
}

const NEWEST = {
  compare: (a: DecisionChange, b: DecisionChange) => b.changed_at.getTime() - a.changed_at.getTime(),
  limit: SHOWN,
};

function change({ changed_at, owner, note, ...rest }: DecisionChange) {
  return { changed: instantText(changed_at), ...rest, owner: owner || null, note: note || null };
}

function readCount(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new InvalidArgumentError('It is a whole number from 1 to 9999999.');
  return count;
}

function readText(longest: number) {
  return (text: string): string => {
    if (text.length > longest) throw new InvalidArgumentError(`It has at most ${longest} characters.`);
    return text.trim();
  };
}
