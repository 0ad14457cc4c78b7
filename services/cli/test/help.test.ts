import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeProgram } from '../src/program.ts';

const RUN = 'npx dmarc-ledger ';

function* commandsOf(command: Command): Generator<Command> {
  yield command;
  for (const sub of command.commands) yield* commandsOf(sub);
}

const all = [...commandsOf(await makeProgram())];
const commands = all.map((command) => [pathOf(command), command] as const);
const leaves = commands.filter(([, command]) => command.commands.length === 0);

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** What `--help` prints, whole. */
function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  return help;
}

/** The calls in a command's help, as words. */
function examplesIn(help: string): string[][] {
  const [, after = ''] = help.split(/^Examples?:$/m);
  const calls = after.split('\n').flatMap((line) => line.trim().split(RUN).slice(1));
  return calls.map((call) =>
    [...call.replace(/ <.*/, '').matchAll(/'([^']*)'|(\S+)/g)].map(([, a, b]) => a ?? b ?? ''),
  );
}

/** The command that a call reaches, once its arguments and options are parsed; its work is not done. */
async function commandReachedBy(words: string[]): Promise<string | undefined> {
  const program = await makeProgram();
  let reached: string | undefined;
  for (const command of commandsOf(program))
    if (command.commands.length === 0) command.action(() => void (reached = pathOf(command)));
  await program.parseAsync(words, { from: 'user' });
  return reached;
}

it.each(commands)('%s says with --help what it does and how it is used', (path, command) => {
  expect(command.helpInformation()).toContain(`Usage: ${path} `);
  expect(command.description()).toMatch(/\w/);
});

it('has the commands that are documented', () => {
  expect(commands.map(([path]) => path.replace(/^dmarc-ledger ?/, ''))).toEqual(
    expect.arrayContaining(['start', 'serve', 'migrate', 'org create', 'plan set', 'user add', 'key create', 'audit']),
  );
});

describe.each(leaves)('%s', (path, command) => {
  it('prints JSON with --json', () => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it('says what each of its arguments and options means', () => {
    const unexplained = [...command.registeredArguments, ...command.options].filter((each) => each.description === '');
    expect(unexplained.filter((each) => !('argChoices' in each && each.argChoices)).map(nameOf)).toEqual([]);
  });

  it('has examples in its help, and they are calls of it', async () => {
    const examples = examplesIn(helpOf(command));
    expect(examples).not.toEqual([]);
    for (const words of examples) expect(await commandReachedBy(words)).toBe(path);
  });
});

function nameOf(each: { name: () => string }): string {
  return each.name();
}
