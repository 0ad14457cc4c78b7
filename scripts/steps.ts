import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { root } from './checks/workspaces.ts';

/** One thing to run: a name for people, and a command of node_modules/.bin with its arguments. */
export interface Step {
  name: string;
  command: [string, ...string[]];
}

/**
 * Types, lint, format, boundaries and lockfile: what is found without running anything of ours. The types come first,
 * because those of tests and bench read what they write. One `tsc` builds all packages: turbo would start two
 * processes for each. Each checker of a project checks again what the others share, so a project has one.
 */
export const checks: readonly [Step, ...Step[]] = [
  { name: 'types', command: ['tsc', '--build', '--checkers', '1', '--builders', '2'] },
  { name: 'types of tests and bench', command: ['tsc', '--project', 'tsconfig.tests.json', '--checkers', '1'] },
  { name: 'lint', command: ['oxlint', '--type-aware'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'boundaries, circles, lockfile', command: ['node', 'scripts/boundaries.ts'] },
  { name: 'figures', command: ['node', 'scripts/figures.ts'] },
  { name: 'nothing unused', command: ['knip', '--no-progress', '--no-config-hints'] },
];

/** `tsc` and the lint are in Go, whose collector takes up to a quarter of their processor time to save memory. */
const SPARE_MEMORY = { GOGC: '400', GOMEMLIMIT: '2GiB' };

/**
 * Runs the first step, then the others two at a time; prints each result, and the output of a failed one. Returns true
 * when all steps passed.
 */
export async function runSteps([first, ...others]: readonly [Step, ...Step[]]): Promise<boolean> {
  let isGood = await runQuietly(first);
  const waiting = others.values();
  const runWaiting = async () => {
    for (const step of waiting) isGood = (await runQuietly(step)) && isGood;
  };
  await Promise.all([runWaiting(), runWaiting()]);
  return isGood;
}

/** Runs one step with its output on the terminal. */
export async function runOpenly({ command: [program, ...args] }: Step): Promise<boolean> {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' });
  const [status] = (await once(child, 'close')) as [number | null];
  return status === 0;
}

async function runQuietly({ name, command: [program, ...args] }: Step): Promise<boolean> {
  const begin = performance.now();
  const env = { ...SPARE_MEMORY, ...process.env };
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (status !== 0) console.log(`${out}${errors}`.trimEnd());
  return status === 0;
}
