import { spfAnswer, type SpfBody } from '@dmarc-ledger/api/answers';
import { printableText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { answerAbout } from '../domain-answer.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { print, printJson } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

/** The terms, and the missing addresses, that a table shows. */
const SHOWN = { terms: 100, absent: 20 };

export function spfCommand(): Command {
  return new Command('spf')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('show the SPF record of a domain with everything that it refers to, and which parts mail needs')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("spf example.com --org 'My organization'"))
    .action((domain: string, options: { org: string; json?: boolean }) =>
      withInstallation((work) => showSpf(work, domain, options)),
    );
}

async function showSpf(work: Work, domain: string, { org, json }: { org: string; json?: boolean }): Promise<void> {
  const answer = await answerAbout(work, { domain, org }, spfAnswer);
  if (json) return printJson(answer);
  const { details, record, lookups, void_lookups, terms, absent, absent_total, advice } = answer;
  process.stdout.write(`${printableText(details, 400)}\n`);
  process.stdout.write(`Lookups: ${lookups} of 10; ${void_lookups} of 2 find nothing.\n\n`);
  print(terms.slice(0, SHOWN.terms).map(termRow), {});
  if (terms.length > SHOWN.terms) process.stdout.write(`${SHOWN.terms} of ${terms.length} terms are shown.\n`);
  if (absent.length > 0) {
    process.stdout.write(`\nAddresses that send as ${answer.domain} and are in no term: ${absent_total}\n`);
    print(absent.slice(0, SHOWN.absent).map(absentRow), {});
  }
  process.stdout.write(`\n${advice.reasons.join('\n')}\n`);
  if (advice.record === null && advice.removed.length > 0)
    process.stdout.write(`Terms that can go: ${printableText(advice.removed.join(', '), 4_000)}\n`);
  if (advice.record !== null && advice.record !== record)
    process.stdout.write(`Advice, with lookups: ${advice.lookups}\n${printableText(advice.record, 4_000)}\n`);
}

function termRow({ depth, term, state, lookups, addresses, messages, needed }: SpfBody['terms'][number]) {
  return { term: `${'  '.repeat(depth)}${term}`, state, lookups, addresses, messages, needed };
}

function absentRow(absent: SpfBody['absent'][number]) {
  const { address, name, messages, spf_pass, dkim_pass, decision, return_path } = absent;
  return {
    address,
    sender: name,
    messages,
    spfPass: spf_pass,
    dkimPass: dkim_pass,
    decision,
    envelopeSender: return_path && printableText(return_path, 80),
  };
}
