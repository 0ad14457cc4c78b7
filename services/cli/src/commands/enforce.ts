import { enforcementAnswer } from '@dmarc-ledger/api/answers';
import { Command } from 'commander';
import { answerAbout, WINDOWS, type WindowName } from '../domain-answer.ts';
import { daysOption, examples, jsonOption, orgOption } from '../options.ts';
import { print, printJson } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

/** The senders of the next step that a table shows. */
const SHOWN = 20;

interface EnforceOptions {
  org: string;
  days: WindowName;
  json?: boolean;
}

export function enforceCommand(): Command {
  return new Command('enforce')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('show what a stricter policy would have done to the mail of a domain, and what to repair first')
    .addOption(orgOption())
    .addOption(daysOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("enforce example.com --org 'My organization' --days 90"))
    .action((domain: string, options: EnforceOptions) => withInstallation((work) => enforce(work, domain, options)));
}

async function enforce(work: Work, domain: string, { org, days, json }: EnforceOptions): Promise<void> {
  const answer = await answerAbout(work, { domain, org }, (db, orgId, asked) =>
    enforcementAnswer(db, orgId, { ...asked, days: WINDOWS[days] }),
  );
  if (json) return printJson(answer);
  process.stdout.write(`${answer.verdict}: ${answer.verdict_text}\n${answer.confidence.text}\n\n`);
  print(
    answer.steps.map(({ step, messages, failing_messages, newly_affected_messages, by_decision }) => ({
      step,
      messages,
      failing: failing_messages,
      newlyAffected: newly_affected_messages,
      ...by_decision,
    })),
    {},
  );
  const { refused } = answer;
  if (refused.senders_total > 0) {
    process.stdout.write('\nOwn mail that receivers rejected:\n');
    print(
      refused.senders.slice(0, SHOWN).map(({ name, messages, addresses, decision }) => ({
        sender: name,
        messages,
        addresses,
        decision,
      })),
      {},
    );
    process.stdout.write('\n');
    for (const { name, fix } of refused.senders.slice(0, SHOWN)) process.stdout.write(`${name}: ${fix}\n`);
  }
  const next = answer.steps.find(({ step }) => step === answer.next_step);
  if (next && next.senders.length > 0) {
    process.stdout.write('\n');
    print(
      next.senders.slice(0, SHOWN).map(({ name, messages, addresses, decision, is_blocker }) => ({
        sender: name,
        messages,
        addresses,
        decision,
        first: is_blocker ? 'yes' : 'no',
      })),
      {},
    );
    process.stdout.write('\n');
    for (const { name, fix, is_blocker } of next.senders.slice(0, SHOWN))
      if (is_blocker) process.stdout.write(`${name}: ${fix}\n`);
  }
  const here = answer.path.findIndex(({ is_current }) => is_current);
  const stage = answer.path[here + 1];
  if (stage?.record)
    process.stdout.write(
      answer.is_record_read
        ? `\nThe next stage, ${stage.title}: publish at _dmarc.${domain}\n${stage.record}\n`
        : `\nThe next stage, ${stage.title}: no check has read the record at _dmarc.${domain}; change these tags in it, ` +
            `and keep its others, such as rua.\n${stage.tags}\n`,
    );
  for (const { host, name, type, value } of answer.permissions)
    process.stdout.write(
      `\nAt ${host}, publish this record, or reporters send nothing there: ${name} ${type}\n${value}\n`,
    );
}
