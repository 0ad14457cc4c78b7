import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@dmarc-ledger/local-postgres';
import { inject } from 'vitest';
import { endWithProcess } from './end-with-process.ts';

const POLL_MS = 20;

/** A Redis of one test, which keeps nothing on disk. */
export interface RedisServer {
  url: string;
  /** A command without spaces in its words, as typed in a shell. */
  ask: (command: string) => Promise<string | undefined>;
  flushAll(): Promise<void>;
  /** Stops it, if it runs, and starts it again on the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function redisServer(): Promise<RedisServer> {
  const { program, missing } = inject('redis');
  if (!program) throw new Error(missing);
  const port = await freePort();
  let child = await start(program, port);
  const stop = () => end(child);
  return {
    url: `redis://127.0.0.1:${port}`,
    ask: (command) => ask(port, command),
    flushAll: async () => void (await ask(port, 'FLUSHALL')),
    restart: async () => {
      await stop();
      child = await start(program, port);
    },
    stop,
  };
}

async function start(program: string, port: number): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const child = spawn(program, args, { stdio: 'ignore' });
  endWithProcess(child);
  while (!hasEnded(child) && !(await ask(port, 'PING').catch(() => ''))?.startsWith('+PONG')) await sleep(POLL_MS);
  if (hasEnded(child)) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** One command in Redis's plain text form, and the first piece of the answer. */
async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer]: Buffer[] = await once(socket, 'data');
    return String(answer);
  } finally {
    socket.destroy();
  }
}
