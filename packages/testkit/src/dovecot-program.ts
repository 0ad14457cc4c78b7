import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram, type FoundProgram } from './debian-package.ts';

const run = promisify(execFile);

/**
 * The Dovecot 2.3 of this machine; on Debian, root installs it when it is missing. Otherwise a sentence that says why
 * not.
 */
export async function findDovecotProgram(): Promise<FoundProgram> {
  const { program, missing } = await findProgram(['dovecot'], 'dovecot-imapd');
  if (!program) return { missing };
  const { stdout } = await run(program, ['--version']);
  if (stdout.startsWith('2.3.')) return { program };
  return { missing: `These tests need Dovecot 2.3, whose settings they write; ${program} is ${stdout.trim()}.` };
}
