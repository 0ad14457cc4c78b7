import { statfs } from 'node:fs/promises';
import { error, ok, warning, type Finding } from './finding.ts';

const SCARCE = 0.15;
const FULL = 0.01;
const MEND = 'Make room; see "The disk is full" in docs/runbook.md. Work goes on by itself then.';

/** How full the disk is that the embedded database and its files are on; nothing before there are any. */
export async function checkDisk(dataDir: string): Promise<Finding[]> {
  const found = await statfs(dataDir).catch(() => undefined);
  if (!found) return [];
  const { bavail, blocks } = found;
  const free = blocks === 0 ? 1 : bavail / blocks;
  const says = `${Math.floor(free * 100)} % of the disk of ${dataDir} is free.`;
  if (free < FULL) return [error('disk', says, MEND)];
  return [free < SCARCE ? warning('disk', says, MEND) : ok('disk', says)];
}

/** True when this fault is that of a full disk: nothing is wrong with what was asked. */
export function isDiskFull(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return ['ENOSPC', 'EDQUOT', '53100'].includes(code);
}

/** What to do about a fault: to make room when the disk is full, else what helps usually. */
export function mendOf(cause: unknown, usually: string): string {
  return isDiskFull(cause) ? MEND : usually;
}
