import { findBrowserProgram } from './browser-program.ts';
import { findDnsProgram } from './dns-program.ts';
import { findDovecotProgram } from './dovecot-program.ts';
import { findMariadbProgram } from './mariadb-program.ts';
import { findRedisProgram } from './redis-program.ts';
import { findResolverProgram } from './resolver-program.ts';

/** The servers and the browser that tests need, each found on this machine, installed, or why there is none. */
export async function findPrograms() {
  const [redis, dovecot, dns, resolver, mariadb, browser] = await Promise.all([
    findRedisProgram(),
    findDovecotProgram(),
    findDnsProgram(),
    findResolverProgram(),
    findMariadbProgram(),
    findBrowserProgram(),
  ]);
  return { redis, dovecot, dns, resolver, mariadb, browser };
}
