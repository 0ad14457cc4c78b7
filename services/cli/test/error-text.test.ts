import { afterEach, expect, it, vi } from 'vitest';
import { errorText } from '../src/error-text.ts';
import { runCommand } from '../src/run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What a command says on standard error, and its exit code. */
async function saidBy(...words: string[]): Promise<{ code: unknown; said: string }> {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  await runCommand(words);
  return { code: process.exitCode, said };
}

it.each([
  ['an option left out', ['key', 'create'], 'dmarc-ledger key create', "required option '--org <id>' not specified"],
  ['an unknown subcommand', ['org', 'x'], 'dmarc-ledger org', "unknown command 'x'"],
  ['an unknown command', ['polish'], 'dmarc-ledger', "unknown command 'polish'"],
])('says of %s where its help is', async (_, words, command, fault) => {
  expect(await saidBy(...words)).toEqual({
    code: 2,
    said: `dmarc-ledger: ${fault}\n(${command} --help shows how it is used)\n`,
  });
});

it('lets no argument colour the terminal or fill it', async () => {
  const { said } = await saidBy('org', 'list', `--\x1b[31m${'x'.repeat(100_000)}`);
  expect(said).not.toContain('\x1b');
  expect(said.length).toBeLessThan(700);
});

it('keeps the lines of a message', () => {
  expect(errorText('The environment is invalid:\n  PORT: expected\ta port\u009b')).toBe(
    'The environment is invalid:\n  PORT: expected a port ',
  );
});
