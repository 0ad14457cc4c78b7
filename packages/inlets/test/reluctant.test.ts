import { beforeEach, expect, it } from 'vitest';
import { Reluctant } from '../src/mailbox/reluctant.ts';

const UID = 4;
const SOON = -1;
const LATER = 60_000;

let reluctant: Reluctant;
beforeEach(() => void (reluctant = new Reluctant()));

const triedInVain = (times: number, againMs: number) => {
  for (let i = 0; i < times; i += 1) reluctant.suspect(UID, againMs);
};

it('asks alone for a mail that may have ended the session, and leaves it behind after three tries', () => {
  triedInVain(2, LATER);
  expect([reluctant.comesAlone(UID), reluctant.isLeft(UID, false)]).toEqual([true, false]);
  triedInVain(1, LATER);
  expect([reluctant.isLeft(UID, false), reluctant.isLeft(UID, true)]).toEqual([true, true]);
});

it('asks again for a mail left behind when the others have been read and its time has come', () => {
  triedInVain(3, SOON);
  expect([reluctant.isLeft(UID, false), reluctant.isLeft(UID, true)]).toEqual([true, false]);
});

it('leaves behind also what is longer than was told and ends every session that asks for it whole', () => {
  reluctant.suspect(UID, LATER);
  reluctant.knowAsLonger(UID);
  expect([reluctant.comesAlone(UID), reluctant.isLonger(UID), reluctant.isLeft(UID, false)]).toEqual([
    true,
    true,
    false,
  ]);
  triedInVain(3, LATER);
  expect([reluctant.isLonger(UID), reluctant.isLeft(UID, false)]).toEqual([true, true]);
});

it('asks in the next session for what was left behind, unless asking for it may have ended the session before', () => {
  triedInVain(3, LATER);
  reluctant.beginSession();
  expect(reluctant.isLeft(UID, true)).toBe(true);
  reluctant.beginSession();
  expect([reluctant.isLeft(UID, false), reluctant.isLeft(UID, true)]).toEqual([true, false]);
});

it('waits before it asks in the same session again for a mail that the server does not hand out', () => {
  triedInVain(1, LATER);
  reluctant.postpone(UID, LATER);
  expect([reluctant.isLeft(UID, true), reluctant.dueAt(UID) > Date.now()]).toEqual([true, true]);
  reluctant.beginSession();
  expect(reluctant.isLeft(UID, true)).toBe(false);
});

it('forgets what was handed out in the end', () => {
  triedInVain(3, LATER);
  reluctant.knowAsLonger(UID);
  reluctant.acquit(UID);
  expect([reluctant.comesAlone(UID), reluctant.isLonger(UID), reluctant.isLeft(UID, false)]).toEqual([
    false,
    false,
    false,
  ]);
});
