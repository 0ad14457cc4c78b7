import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Order } from './command-host.ts';

/** The command that tests run: the installed one that `npm test` makes, else that of this checkout. */
export const testedProgram =
  process.env['TESTED_COMMAND'] ?? join(import.meta.dirname, '..', '..', 'bin', 'dmarc-ledger.js');

/** The exit code and the output of a command. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Compiled once for the whole run: tests start the command many times. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'dmarc-ledger-test-compiled');

interface StartOptions {
  /** Whether it gets a process group of its own. */
  detached?: boolean;
  /** The command of another place. */
  program?: string | undefined;
}

/** The command as a user starts it, with nothing of our own environment but these variables. */
export function startCommand(
  args: string[],
  env: { [name: string]: string },
  { detached = false, program = testedProgram }: StartOptions = {},
): ChildProcess {
  const { PATH = '', HOME = '/' } = process.env;
  return spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
    detached,
  });
}

/** Runs the command to its end, in a process of its own; `program` is that of another place. */
export async function runCommand(
  args: string[],
  env: { [name: string]: string },
  input?: Buffer,
  program?: string,
): Promise<Ran> {
  const child = startCommand(args, env, { program });
  child.stdin!.on('error', () => {}); // it may end before it has read all
  child.stdin!.end(input);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]);
  return { code: code as number | null, stdout, stderr };
}

/** A process that runs commands one after another: their code is loaded once, and not for each of them. */
export interface CommandHost extends Disposable {
  run(args: string[], env: { [name: string]: string }): Promise<Ran>;
}

let shared: CommandHost | undefined;

/**
 * For tests of what commands do, where a start of the process is not what is tested. The files of a test process share
 * one: its start costs as much as four commands in processes of their own.
 *
 * @param atStart variables that only a start of Node.js reads, such as `NODE_EXTRA_CA_CERTS`: it is then not shared
 */
export function openCommandHost(atStart?: { [name: string]: string }): CommandHost {
  if (atStart) return startCommandHost(atStart);
  shared ??= startCommandHost({}, () => (shared = undefined));
  const host = shared;
  return { run: (args, env) => host.run(args, env), [Symbol.dispose]: () => {} }; // it ends with the test process
}

function startCommandHost(atStart: { [name: string]: string }, onEnd?: () => void): CommandHost {
  const { PATH = '', HOME = '/' } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'command-host.ts')], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...atStart },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (onEnd) child.once('exit', onEnd);
  const [stdout, stderr] = [readUntil(child.stdout!), readUntil(child.stderr!)];
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (words: string[], env: { [name: string]: string }): Promise<Ran> => {
    if (Object.keys(env).some((name) => name.startsWith('NODE_')))
      throw new Error('Only a start of Node.js reads that.');
    const end = `\0${randomUUID()}\0`;
    child.send({ words, env: { PATH, HOME, ...env }, end } satisfies Order);
    const [[code], out, errors] = await Promise.all([once(child, 'message'), stdout(end), stderr(end)]);
    return { code: code as number, stdout: out, stderr: errors };
  };
  return {
    run: (args, env) => {
      const ran = turn.then(() => ask(args, env));
      turn = ran.catch(() => undefined);
      return ran;
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

/** Reads a stream up to a mark, and from there on the next time. Throws when it ends before. */
function readUntil(stream: Readable): (mark: string) => Promise<string> {
  let left = '';
  const chunks = stream.setEncoding('utf8')[Symbol.asyncIterator]();
  return async (mark) => {
    for (let at = left.indexOf(mark); ; at = left.indexOf(mark)) {
      if (at >= 0) {
        const text = left.slice(0, at);
        left = left.slice(at + mark.length);
        return text;
      }
      const { value, done } = await chunks.next();
      if (done) throw new Error(`The process of the commands ended: ${left}`);
      left += value as string;
    }
  };
}
