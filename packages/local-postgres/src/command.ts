import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { present } from '@dmarc-ledger/vocabulary';
import type { Account } from './account.ts';

/** Starts one of PostgreSQL's programs as the server's account. */
export function runProgram(account: Account, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [command, ...rest] = [...account.prefix, join(account.native, 'bin', program), ...args];
  return spawn(present(command), rest, {
    stdio,
    cwd: process.platform === 'win32' ? account.native : '/', // the current folder may be closed to the account
    env: plainEnvironment(),
    detached: true, // Ctrl-C on the terminal is for the caller; the server is stopped when its users are done
    windowsHide: true,
    uid: account.owner?.uid,
    gid: account.owner?.gid,
  });
}

/** The environment without variables that would redirect PostgreSQL's programs. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|LD_)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', TZ: 'UTC' };
}
