import { findProgram, type FoundProgram } from './debian-package.ts';

/** MariaDB of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why not. */
export function findMariadbProgram(): Promise<FoundProgram> {
  return findProgram(['mariadbd', 'mysqld'], 'mariadb-server-core');
}
