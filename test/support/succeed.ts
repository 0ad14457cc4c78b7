import { openCommandHost } from './command.ts';

/** Of commands that did their work; with files that are damaged, `ingest` ends with 3. */
const ENDINGS: readonly (number | null)[] = [0, 3];

/** Runs a command that must do its work without a word on stderr, and returns what it printed. */
export async function succeed(args: string[], env: { [name: string]: string }): Promise<string> {
  const { code, stdout, stderr } = await openCommandHost().run(args, env);
  if (!ENDINGS.includes(code) || stderr !== '') throw new Error(`${args.join(' ')}: ${code} ${stderr}${stdout}`);
  return stdout;
}
