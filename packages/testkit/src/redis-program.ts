import { findProgram, type FoundProgram } from './debian-package.ts';

/**
 * The redis-server of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why
 * not.
 */
export function findRedisProgram(): Promise<FoundProgram> {
  return findProgram(['redis-server', 'valkey-server'], 'redis-server');
}
