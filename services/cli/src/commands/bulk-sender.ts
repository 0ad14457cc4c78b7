import { bulkSenderAnswer } from '@dmarc-ledger/api/answers';
import { Command } from 'commander';
import { answerAbout } from '../domain-answer.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { print, printJson } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

interface BulkSenderOptions {
  org: string;
  json?: boolean;
}

export function bulkSenderCommand(): Command {
  return new Command('bulk-sender')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('check a domain against the rules of Google, Yahoo and Microsoft for bulk senders')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("bulk-sender example.com --org 'My organization'"))
    .action((domain: string, options: BulkSenderOptions) => withInstallation((work) => show(work, domain, options)));
}

async function show(work: Work, domain: string, { org, json }: BulkSenderOptions): Promise<void> {
  const answer = await answerAbout(work, { domain, org }, bulkSenderAnswer);
  if (json) return printJson(answer);
  process.stdout.write(`${answer.summary}\n\n`);
  print(
    answer.requirements.map(({ title, state, sources }) => ({
      requirement: title,
      state,
      askedBy: sources.map(({ provider, since }) => `${provider} ${since}`).join(', '),
    })),
    {},
  );
  process.stdout.write('\n');
  for (const { requirement, evidence, change, state } of answer.requirements)
    if (state !== 'cannot_be_seen')
      process.stdout.write(`${requirement}: ${[evidence, change ?? ''].join(' ').trim()}\n`);
  process.stdout.write('\n');
  print(
    answer.providers.map(({ name, threshold, busiest_day, busiest_messages, is_bulk }) => ({
      provider: name,
      from: threshold,
      busiestDay: busiest_day,
      messages: busiest_messages,
      bulk: is_bulk,
    })),
    {},
  );
}
