import { coverageAnswer } from '@dmarc-ledger/api/answers';
import { printableText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { daysOption, examples, jsonOption, orgOption } from '../options.ts';
import { answerAbout, WINDOWS, type WindowName } from '../domain-answer.ts';
import { print, printJson } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

/** The reporters that a table shows. */
const SHOWN = 20;

interface CoverageOptions {
  org: string;
  days: WindowName;
  json?: boolean;
}

export function coverageCommand(): Command {
  return new Command('coverage')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('show how much of the mail of a domain was reported, and which reporters are missing')
    .addOption(orgOption())
    .addOption(daysOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("coverage example.com --org 'My organization' --days 90"))
    .action((domain: string, options: CoverageOptions) => withInstallation((work) => show(work, domain, options)));
}

async function show(work: Work, domain: string, { org, days, json }: CoverageOptions): Promise<void> {
  const answer = await answerAbout(work, { domain, org }, (db, orgId, asked) =>
    coverageAnswer(db, orgId, { ...asked, days: WINDOWS[days] }),
  );
  if (json) return printJson(answer);
  process.stdout.write(`${answer.confidence.text}\n`);
  for (const finding of answer.findings) process.stdout.write(`${printableText(finding, 500)}\n`);
  process.stdout.write('\n');
  print(
    answer.by_day.filter(isOdd).map((each) => ({
      day: each.day,
      state: each.state,
      reporters: each.reporters,
      expected: each.expected_reporters,
      absent: each.absent_reporters,
      messages: each.messages,
      unseen: each.unseen_messages,
      doubtful: each.doubtful_messages,
      dropped: each.dropped_records,
    })),
    {},
  );
  process.stdout.write('\n');
  print(
    answer.reporters.slice(0, SHOWN).map((each) => ({
      reporter: each.name,
      state: each.state,
      messages: each.messages,
      reportDays: each.report_days,
      expectedDays: each.expected_days,
      absentDays: each.absent_days,
      lastDay: each.last_day,
    })),
    {},
  );
}

type Day = Awaited<ReturnType<typeof coverageAnswer>>['by_day'][number];

/** Days with nothing to say are left out of the table. */
function isOdd({ state, absent_reporters, doubtful_messages, dropped_records }: Day): boolean {
  return state === 'missing' || absent_reporters > 0 || doubtful_messages > 0 || dropped_records > 0;
}
