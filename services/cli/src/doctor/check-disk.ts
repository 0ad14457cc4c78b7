import { statfs } from 'node:fs/promises';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { error, ok, warning, type Finding } from './finding.ts';

const SCARCE = 0.15;
const FULL = 0.01;
const MEND = 'Free some space; see "The disk is full" in docs/runbook.md. Work then continues by itself.';

/** Checks how full the disk of the data folder is; no finding before the folder exists. */
export async function checkDisk(dataDir: string): Promise<Finding[]> {
  const found = await statfs(dataDir).catch(() => undefined);
  if (!found) return [];
  const { bavail, blocks } = found;
  const free = blocks === 0 ? 1 : bavail / blocks;
  const says = `${Math.floor(free * 100)} % of the disk of ${dataDir} is free.`;
  if (free < FULL) return [error('disk', says, MEND)];
  return [free < SCARCE ? warning('disk', says, MEND) : ok('disk', says)];
}

/** True for an error caused by a full disk. */
function isDiskFull(cause: unknown): boolean {
  const code = errorCode(cause) ?? '';
  return ['ENOSPC', 'EDQUOT', '53100'].includes(code);
}

/** The remedy for an error: free space if the disk is full, else the usual one. */
export function mendOf(cause: unknown, usually: string): string {
  return isDiskFull(cause) ? MEND : usually;
}
