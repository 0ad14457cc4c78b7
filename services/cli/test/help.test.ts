import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { makeProgram } from '../src/program.ts';

function* commandsOf(command: Command): Generator<Command> {
  yield command;
  for (const sub of command.commands) yield* commandsOf(sub);
}

const commands = [...commandsOf(await makeProgram())].map((command) => [pathOf(command), command] as const);

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
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
