import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeProgram } from '../src/program.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const program = await makeProgram();
const texts = globSync(['README.md', 'docs/*.md'], { cwd: root })
  .toSorted()
  .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

function* leaves(command: Command, path = ''): Generator<string> {
  if (command.commands.length === 0) yield path;
  for (const sub of command.commands) yield* leaves(sub, `${path} ${sub.name()}`.trim());
}

/** The calls in code: `npx dmarc-ledger …`, or by the compose service that runs it. */
function calls(text: string): string[][] {
  const called = /(?:dmarc-ledger|--rm (?:--volume \S+ )?(?:ingester|migrate)) ([a-z][^`\n|)#;]*)/g;
  return [...text.replaceAll(/\\\n\s*/g, '').matchAll(called)].map(([, line]) => line!.match(/'[^']*'|"[^"]*"|\S+/g)!);
}

/** The lines of a block of commands as a shell reads them: a backslash joins a line to the next. */
function linesOf(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/** Lines of blocks of commands that a shell does not read as the call that is meant. */
function brokenLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh)?\n(.*?)^```/gms)].map(([, block = '']) => linesOf(block));
  return blocks
    .filter((lines) => lines.some((line) => /^(?:export .*)?npx dmarc-ledger /.test(line)))
    .flatMap((lines) => lines.filter((line) => !isOneCall(line)));
}

const PROGRAMS =
  /^(?:[A-Z_]+=\S* )*(?:npx|npm|node|export|cat|cp|curl|createdb|openssl|pg_restore|redis-cli)\b|^[A-Z_]+=\S+$/;
const isOneCall = (line: string) =>
  PROGRAMS.test(line) &&
  !/^export .*dmarc-ledger |--[a-z-]+-(?:env|file)$/.test(line) &&
  line.split(/[|;&]/).every((part) => part.split('dmarc-ledger ').length < 3);

/** The unknown words of a call; none for sentences that only name the program. */
function faultsOf(words: string[]): string[] {
  let command = program;
  const rest = [...words];
  for (let sub; (sub = command.commands.find((one) => one.name() === rest[0])); rest.shift()) command = sub;
  if (command === program) return [];
  if (command.commands.length > 0 && rest.length > 0) return [`${command.name()} ${rest[0]}`];
  const known = new Set([...command.options.map(({ long }) => long), '--help']);
  return rest.filter((word) => word.startsWith('--') && !known.has(word));
}

describe('the documentation', () => {
  it.each([...leaves(program)])('contains %s', (path) => {
    const named = new RegExp(`(?:dmarc-ledger |\`)${path}\\b`);
    expect(texts.filter(({ text }) => named.test(text))).not.toEqual([]);
  });

  it.each(texts)('$page calls commands that there are, with options that they have', ({ text }) => {
    expect(calls(text).flatMap((words) => faultsOf(words).map((fault) => `${words.join(' ')}: ${fault}`))).toEqual([]);
  });

  it.each(texts)('$page has commands that can be pasted as they stand', ({ text }) => {
    expect(brokenLines(text)).toEqual([]);
  });

  it.each([
    'export A=… npx dmarc-ledger mailbox list',
    'npx dmarc-ledger mailbox list npx dmarc-ledger org list',
    'npx dmarc-ledger mailbox add --password-env\nA',
    'npx dmarc-ledger mailbox add --host a\n--user b',
  ])('would be found broken with %j', (block) => {
    expect(brokenLines(`\`\`\`\n${block}\n\`\`\`\n`)).not.toEqual([]);
  });

  it.each(['dmarc-ledger mailbox ad', 'npx dmarc-ledger org create X --colour red', '`dmarc-ledger purge --all`'])(
    'would be found wrong with %s',
    (text) => expect(calls(text).flatMap(faultsOf)).toHaveLength(1),
  );
});
