import { mkdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { watchTarget, type Finding } from './watch-target.ts';
import { targets } from './targets.ts';

// npm run fuzz -- [target] [--seed N] [--minutes N]: every target in turn, a minute each, until it is ended.
const TURN_MS = 60_000;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, minutes: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(targets);
const unknown = names.filter((name) => !(name in targets));
if (unknown.length > 0) {
  process.stderr.write(`There is no target ${unknown.join(', ')}. There are: ${Object.keys(targets).join(', ')}.\n`);
  process.exit(2);
}

const minutes = values.minutes === undefined ? Infinity : Number(values.minutes);
const end = Date.now() + minutes * 60_000;
const folder = 'fuzz-findings';
const known = new Set<string>();
let seed = Number(values.seed ?? Date.now() % 2 ** 31);
while (Date.now() < end) {
  for (const name of names) {
    const share = Number.isFinite(minutes) ? (minutes * 60_000) / names.length : TURN_MS;
    const { inputs, places, finding } = await watchTarget(name, seed, share);
    process.stdout.write(`${name}: seed ${seed}, ${inputs} inputs, new code reached ${places} times\n`);
    if (finding) report(name, finding);
    seed += 1;
  }
}
process.exitCode = known.size > 0 ? 1 : 0;

function report(name: string, { kind, message, input }: Finding): void {
  const isNew = !known.has(`${name} ${kind} ${message.replace(/\d+/g, '#')}`);
  known.add(`${name} ${kind} ${message.replace(/\d+/g, '#')}`);
  if (!isNew) return;
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(path, input);
  process.stderr.write(`${name}: ${kind}: ${message}\n  ${path}\n`);
}
