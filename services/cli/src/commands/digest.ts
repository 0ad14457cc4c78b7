import {
  digestHtml,
  digestOf,
  digestText,
  frequencies,
  latestIssue,
  periodOf,
  type Frequency,
} from '@dmarc-ledger/digest';
import { findDigestFacts } from '@dmarc-ledger/facts';
import { findDomainId, findMemberships, listSubscriptions, subscribe, unsubscribe } from '@dmarc-ledger/ledger';
import { dayOf, present, printableText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { noteMissingMail } from '../mail-note.ts';
import { organizationsOf, orgIdOf } from '../organizations.ts';
import { print, printJson, printOne } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

interface PreviewOptions {
  org: string;
  frequency: Frequency;
  domain?: string[];
  html?: boolean;
  json?: boolean;
}

const LONGEST_LINE = 2_000;
const NO_LINKS = { home: undefined, unsubscribe: undefined };
const eachDomain = (text: string, before: string[] = []) => [...before, readDomainName(text)];

export function digestCommand(): Command {
  return new Command('digest')
    .description('the digest by mail: what changed and what to do first, for each member who wants it')
    .addCommand(previewCommand())
    .addCommand(setCommand())
    .addCommand(listCommand());
}

function previewCommand(): Command {
  return new Command('preview')
    .description('print the newest digest as it would be sent, and send nothing')
    .addOption(orgOption())
    .addOption(new Option('--frequency <frequency>', 'which one').choices(frequencies).default('weekly'))
    .option('--domain <name>', 'only about this domain; may be repeated', eachDomain)
    .option('--html', 'print the HTML of the mail')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples("digest preview --org 'My organization'", "digest preview --org 'My organization' --html"),
    )
    .action((options: PreviewOptions) => withInstallation((work) => preview(work, options)));
}

async function preview(work: Work, { org, frequency, domain: domains = [], html, json }: PreviewOptions) {
  const { db } = work.installation.database;
  const { id: orgId, name: organization } = present((await organizationsOf(work, org))[0]);
  const now = new Date();
  const period = periodOf(frequency, latestIssue(frequency, now));
  const today = dayOf(Math.floor(now.getTime() / 1_000));
  const asked = { period, domains, organization, seesEvents: true, today };
  const digest = digestOf(await findDigestFacts(db, orgId, asked));
  if (json) return printJson(digest);
  if (html) return void process.stdout.write(digestHtml(digest, NO_LINKS));
  const lines = [digest.subject, '', ...digestText(digest, NO_LINKS).split('\n')];
  process.stdout.write(lines.map((line) => printableText(line, LONGEST_LINE)).join('\n'));
}

function setCommand(): Command {
  return new Command('set')
    .argument('<email>', 'the address of a member')
    .argument('<frequency>', 'daily, weekly or off')
    .description('choose how often a member gets the digest')
    .addOption(orgOption())
    .option('--domain <name>', 'only about this domain; may be repeated', eachDomain)
    .addOption(jsonOption())
    .addHelpText('after', examples("digest set ops@example.com weekly --org 'My organization'"))
    .action((email: string, wanted: string, options: { org: string; domain?: string[]; json?: boolean }) =>
      withInstallation((work) => choose(work, { email, wanted }, options)),
    );
}

async function choose(
  work: Work,
  { email, wanted }: { email: string; wanted: string },
  { org, domain: domains = [], json }: { org: string; domain?: string[]; json?: boolean },
) {
  const { db } = work.installation.database;
  const orgId = await orgIdOf(work, org);
  const frequency = frequencies.find((each) => each === wanted);
  if (frequency === undefined && wanted !== 'off')
    throw new CliError('usage', `${wanted} is not daily, weekly or off.`);
  for (const domain of domains)
    if ((await findDomainId(db, orgId, domain)) === undefined)
      throw new CliError('not_found', `${domain} is not a domain of this organization; see: dmarc-ledger domain list`);
  const isDone =
    frequency === undefined
      ? await unsubscribe(db, orgId, email)
      : await subscribe(db, orgId, email, { frequency, domains, now: new Date() });
  if (!isDone && !(await findMemberships(db, email)).some((membership) => membership.orgId === orgId))
    throw new CliError('not_found', `${email} is not a member; see: dmarc-ledger user list --org ORG`);
  printOne({ email, digest: wanted }, { json });
  if (frequency !== undefined && !json) noteMissingMail();
}

function listCommand(): Command {
  return new Command('list')
    .description('list the members with a digest, when the next one is due, and the outcome of the last')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("digest list --org 'My organization'"))
    .action((options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const found = await listSubscriptions(work.installation.database.db, await orgIdOf(work, options.org));
        const rows = found.map(({ email, frequency, domains, due_day, sent_day, error_code }) => ({
          email,
          frequency,
          domains,
          next: due_day,
          sent: sent_day,
          code: error_code,
        }));
        if (options.json) printJson(rows);
        else
          print(
            rows.map((row) => ({ ...row, domains: row.domains.join(',') || 'all' })),
            {},
          );
      }),
    );
}
