import { beforeEach, expect, it } from 'vitest';
import { MailBackoff } from '../src/mailbox/mail-backoff.ts';

const UID = 4;
const SOON = -1;
const LATER = 60_000;

let backoff: MailBackoff;
beforeEach(() => void (backoff = new MailBackoff()));

const triedInVain = (times: number, againMs: number) => {
  for (let i = 0; i < times; i += 1) backoff.suspect(UID, againMs);
};

it('asks alone for a mail that may have ended the session, and leaves it behind after three tries', () => {
  triedInVain(2, LATER);
  expect([backoff.comesAlone(UID), backoff.isLeft(UID, false)]).toEqual([true, false]);
  triedInVain(1, LATER);
  expect([backoff.isLeft(UID, false), backoff.isLeft(UID, true)]).toEqual([true, true]);
});

it('asks again for a mail left behind when the others have been read and its time has come', () => {
  triedInVain(3, SOON);
  expect([backoff.isLeft(UID, false), backoff.isLeft(UID, true)]).toEqual([true, false]);
});

it('defers also a mail that is longer than reported and ends every session that asks for it whole', () => {
  backoff.suspect(UID, LATER);
  backoff.knowAsLonger(UID);
  expect([backoff.comesAlone(UID), backoff.isLonger(UID), backoff.isLeft(UID, false)]).toEqual([true, true, false]);
  triedInVain(3, LATER);
  expect([backoff.isLonger(UID), backoff.isLeft(UID, false)]).toEqual([true, true]);
});

it('asks in the next session for what was left behind, unless asking for it may have ended the session before', () => {
  triedInVain(3, LATER);
  backoff.beginSession();
  expect(backoff.isLeft(UID, true)).toBe(true);
  backoff.beginSession();
  expect([backoff.isLeft(UID, false), backoff.isLeft(UID, true)]).toEqual([true, false]);
});

it('waits before it asks in the same session again for a mail that the server does not hand out', () => {
  triedInVain(1, LATER);
  backoff.postpone(UID, LATER);
  expect([backoff.isLeft(UID, true), backoff.dueAt(UID) > performance.now()]).toEqual([true, true]);
  backoff.beginSession();
  expect(backoff.isLeft(UID, true)).toBe(false);
});

it('forgets what was handed out in the end', () => {
  triedInVain(3, LATER);
  backoff.knowAsLonger(UID);
  backoff.acquit(UID);
  expect([backoff.comesAlone(UID), backoff.isLonger(UID), backoff.isLeft(UID, false)]).toEqual([false, false, false]);
});
