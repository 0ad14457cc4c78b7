import { afterAll, expect, it, vi } from 'vitest';
import { byteBudget } from '../src/mailbox/byte-budget.ts';
import type { MailboxStore, MailboxSettings } from '../src/mailbox/mailbox.ts';
import type { MailboxFaultCode } from '../src/mailbox/mailbox-fault.ts';

// no pause takes its time here; the modules are loaded for this file alone, as its worker runs other files too
vi.resetModules();
vi.doMock('node:timers/promises', () => ({ setTimeout: async () => {} }));
const { serveMailbox } = await import('../src/mailbox/serve-mailbox.ts');
afterAll(() => {
  vi.doUnmock('node:timers/promises');
  vi.resetModules();
});

const NO_SERVER = { host: '127.0.0.1', port: 1, tls: 'implicit', ca: null, username: 'user' } as MailboxSettings;

/** The first failures of a mailbox, and the wait after each. */
async function firstFailures(count: number, store: Partial<MailboxStore>) {
  const ending = new AbortController();
  const failures: { code: MailboxFaultCode; waitMs: number }[] = [];
  const watcher = {
    attempting: async () => {},
    looked: async () => {},
    failed: async ({ code }: { code: MailboxFaultCode }, retryAt: Date | null) => {
      failures.push({ code, waitMs: retryAt!.getTime() - Date.now() });
      if (failures.length === count) ending.abort();
    },
  };
  const needs = { settings: NO_SERVER, store: store as MailboxStore, watcher, budget: byteBudget(1) };
  await serveMailbox(needs, ending.signal);
  return failures;
}

it('is looked into again within a quarter of a minute after the ledger was away, however often', async () => {
  const failures = await firstFailures(200, { hold: () => Promise.reject(new Error('no connection')) });
  expect(failures).toHaveLength(200);
  expect(Math.max(...failures.map(({ waitMs }) => waitMs))).toBeLessThan(16_000);
});

it('is not kept away from its server by how often the ledger was away before', async () => {
  let asked = 0;
  const hold = async () => {
    if ((asked += 1) <= 50) throw new Error('no connection');
    return true;
  };
  const failures = await firstFailures(51, { hold, credentials: async () => ({ password: 'secret' }) });
  expect(failures.map(({ code }) => code)).toEqual([...Array<string>(50).fill('ledger_failed'), 'connect_failed']);
  expect(failures.at(-1)!.waitMs).toBeLessThan(2_000);
});
