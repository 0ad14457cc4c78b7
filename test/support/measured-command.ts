import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Ran, runCommand } from './command.ts';

const REPORTER = pathToFileURL(join(import.meta.dirname, 'report-usage.ts'));

/** What the processes of a command used: processor time, and the most memory that was resident. */
export interface Usage {
  seconds: number;
  megabytes: number;
}

/** Runs the command in a process of its own, and measures it. */
export async function runMeasured(args: string[], env: { [name: string]: string }): Promise<Ran & { usage: Usage }> {
  const file = join(tmpdir(), `dmarc-ledger-usage-${randomUUID()}`);
  const ran = await runCommand(args, { ...env, USAGE_FILE: file, NODE_OPTIONS: `--import ${REPORTER.href}` });
  const used: Usage[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)); // as written by report-usage.ts
  rmSync(file);
  const sum = (of: (usage: Usage) => number) => used.reduce((all, usage) => all + of(usage), 0);
  return { ...ran, usage: { seconds: sum(({ seconds }) => seconds), megabytes: sum(({ megabytes }) => megabytes) } };
}
