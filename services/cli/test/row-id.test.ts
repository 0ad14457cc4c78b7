import { afterEach, expect, it, vi } from 'vitest';
import { runCommand } from '../src/run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

it.each([
  [['intake', 'show'], 'a delivery; see: dmarc-ledger intake list'],
  [['intake', 'replay', '--id'], 'a delivery; see: dmarc-ledger intake list'],
  [['intake', 'release', '--id'], 'a delivery; see: dmarc-ledger intake list'],
  [['event', 'ack'], 'an event; see: dmarc-ledger event list'],
  [['key', 'revoke'], 'a key; see: dmarc-ledger key list'],
  [['mailbox', 'test'], 'a mailbox; see: dmarc-ledger mailbox list'],
  [['mailbox', 'pause'], 'a mailbox; see: dmarc-ledger mailbox list'],
  [['mailbox', 'resume'], 'a mailbox; see: dmarc-ledger mailbox list'],
  [['mailbox', 'remove'], 'a mailbox; see: dmarc-ledger mailbox list'],
  [['webhook', 'test'], 'a target; see: dmarc-ledger webhook list'],
  [['webhook', 'log'], 'a target; see: dmarc-ledger webhook list'],
  [['webhook', 'remove'], 'a target; see: dmarc-ledger webhook list'],
])('%j calls a text that is no id wrong usage, with 2, before it opens anything', async (words, expected) => {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  await runCommand([...words, 'x']);
  expect({ code: process.exitCode, said }).toEqual({ code: 2, said: `dmarc-ledger: x is not the id of ${expected}\n` });
});
