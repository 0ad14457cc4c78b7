import { dkimKeysAnswer, type DkimKeysBody } from '@dmarc-ledger/api/answers';
import { printableText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { answerAbout } from '../domain-answer.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { print, printJson } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

/** The keys that a table shows. */
const SHOWN = 50;

export function dkimCommand(): Command {
  return new Command('dkim')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('show the DKIM keys of a domain: their use in reports, what is published, and what to do')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("dkim example.com --org 'My organization'"))
    .action((domain: string, options: { org: string; json?: boolean }) =>
      withInstallation((work) => showKeys(work, domain, options)),
    );
}

async function showKeys(work: Work, domain: string, { org, json }: { org: string; json?: boolean }): Promise<void> {
  const answer = await answerAbout(work, { domain, org }, dkimKeysAnswer);
  if (json) return printJson(answer);
  const shown = answer.keys.slice(0, SHOWN);
  print(shown.map(keyRow), {});
  const findings = shown.flatMap((key) => key.findings.map(({ text }) => text));
  if (findings.length > 0) process.stdout.write('\n');
  for (const text of findings) process.stdout.write(`${printableText(text, 400)}\n`);
  const { selectors, is_at_least } = answer.other_selectors;
  if (answer.total > shown.length) process.stdout.write(`\n${shown.length} of ${answer.total} keys are shown.\n`);
  if (selectors > 0)
    process.stdout.write(`\nSelectors that never passed: ${selectors}${is_at_least ? ' or more' : ''}.\n`);
}

function keyRow(key: DkimKeysBody['keys'][number]) {
  const { domain, selector, state, first_pass, last_pass, messages, share, published, bits, age_days, senders } = key;
  return {
    selector,
    of: domain,
    state,
    firstPass: first_pass,
    lastPass: last_pass,
    messages,
    share: `${share} %`,
    published: published === 'rsa' ? `rsa ${bits}` : published,
    ageDays: age_days,
    senders: senders.map(({ name }) => name).join(', ') || null,
  };
}
