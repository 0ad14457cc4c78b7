import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('closes what it opened, last first, on %s', async (signal) => {
  const { out, status } = await run('', [signal]);
  expect(out).toEqual(['ready', 'stopping', 'closed second', 'closed first']);
  expect(status).toBe(0);
});

it('ends by itself when it asks to', async () => {
  expect(await run('itself', [])).toMatchObject({
    out: ['ready', 'stopping', 'closed second', 'closed first'],
    status: 0,
  });
});

it('closes the others when one cannot be closed, and logs why', async () => {
  const { out, err, status } = await run('close', ['SIGTERM']);
  expect(out).toEqual(['ready', 'stopping', 'closed first']);
  expect(err).toContain('will not close');
  expect(status).toBe(0);
});

it('ends at once when it is asked again', async () => {
  const { out, status } = await run('hang', ['SIGTERM', 'SIGINT']);
  expect(out).toEqual(['ready', 'stopping']);
  expect(status).toBe(130);
});

it('takes a signal that arrives several times, as one to the process group does, for one', async () => {
  const { out, status } = await run('slow', ['SIGTERM', 'SIGTERM']);
  expect(out).toEqual(['ready', 'stopping', 'closed second', 'closed first']);
  expect(status).toBe(0);
});

it('says in a sentence what a person can mend, closes, and exits with 1', async () => {
  const { out, err, status } = await run('sentence', []);
  expect(err).toBe('sample: The environment is invalid:\n  PORT: expected a whole number from 1 to 9\n');
  expect(out).toEqual(['closed second', 'closed first']);
  expect(status).toBe(1);
});

it.each(['start', 'lost'])('logs an unexpected error (%s), and exits with 1', async (trouble) => {
  const { err, status } = await run(trouble, []);
  expect(JSON.parse(err.trim().split('\n').at(-1)!)).toMatchObject({
    level: 'fatal',
    name: 'sample',
    error: { type: 'Error' },
  });
  expect(status).toBe(1);
});

/**
 * Runs the sample service, sends the first signal when it is ready and the next, repeatedly, once it stops, and
 * collects its output.
 */
async function run(trouble: string, signals: NodeJS.Signals[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service-process.ts'), trouble]);
  const [first, second] = signals;
  const out: string[] = [];
  let repeat: NodeJS.Timeout | undefined;
  createInterface(child.stdout).on('line', (line) => {
    out.push(line);
    if (line === 'ready' && first) child.kill(first);
    if (line === 'stopping' && second) repeat = setInterval(() => child.kill(second), 50);
  });
  const [err, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  clearInterval(repeat);
  return { out, err, status };
}
