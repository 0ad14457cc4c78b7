import { expect, it, vi } from 'vitest';
import { byteBudget } from '../src/mailbox/byte-budget.ts';
import type { MailboxKeeper, MailboxSettings } from '../src/mailbox/mailbox.ts';
import { serveMailbox } from '../src/mailbox/serve-mailbox.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} })); // no pause takes its time here

it('is looked into again within a quarter of a minute after the ledger was away, however often', async () => {
  const ending = new AbortController();
  const waits: number[] = [];
  const watcher = {
    attempting: async () => {},
    looked: async () => {},
    failed: async (_: unknown, retryAt: Date | null) => {
      waits.push(retryAt!.getTime() - Date.now());
      if (waits.length === 200) ending.abort();
    },
  };
  const keeper = { hold: () => Promise.reject(new Error('no connection')) } as unknown as MailboxKeeper;
  const settings = {} as MailboxSettings;
  await serveMailbox({ settings, keeper, watcher, budget: byteBudget(1) }, ending.signal);
  expect(waits).toHaveLength(200);
  expect(Math.max(...waits)).toBeLessThan(16_000);
});
