import pino from 'pino';
import { expect, it } from 'vitest';
import { closedTogether, Resources } from '../src/shutdown.ts';

const log = pino({ enabled: false });

it('closes the others when one does not end, so that no database server outlives the process', async () => {
  const resources = new Resources(log);
  const closed: string[] = [];
  resources.use('database', (name) => closed.push(name));
  resources.use('stuck', () => new Promise(() => undefined));
  resources.use('api', (name) => closed.push(name));
  expect(await resources.closeAll(20, 5_000)).toBe(false);
  expect(closed).toEqual(['api', 'database']);
});

it('gives up on what is still open when the extra time is over', async () => {
  const resources = new Resources(log);
  resources.use('one', () => new Promise(() => undefined));
  resources.use('two', () => new Promise(() => undefined));
  expect(await resources.closeAll(10, 10)).toBe(false);
});

it('closes services that do not need each other side by side, then what they stand on', async () => {
  const resources = new Resources(log);
  const closed: string[] = [];
  resources.use('database', (name) => closed.push(name));
  const together = closedTogether((resource, close) => resources.use(resource, close));
  const worker = Promise.withResolvers<void>();
  together('worker', (name) => worker.promise.then(() => closed.push(name)));
  together('broken', () => {
    throw new Error('will not close');
  });
  together('api', (name) => {
    closed.push(name);
    worker.resolve(); // the worker ends only after the API, which was opened later
  });
  expect(await resources.closeAll(5_000)).toBe(true);
  expect(closed).toEqual(['api', 'worker', 'database']);
  together('late', (name) => closed.push(name));
  expect(closed).toContain('late');
});
