import { expect, it } from 'vitest';
import { formatsOf } from '../src/page/formats.ts';
import { linkWords, messageOf } from '../src/texts/event-words.ts';

it.each([
  ['/sources/2001%3Adb8%3A%3A1', 'Look at 2001:db8::1'],
  ['/sources?domain=example.com', 'Senders of example.com'],
  ['/reports?domain=example.com', 'Reports of example.com'],
  ['/domains/example.com/dns/dkim', 'DKIM of example.com'],
  ['/domains/example.com', 'Look at example.com'],
  ['/domains/add?domain=example.com', 'Add example.com'],
  ['/settings/api-keys', 'Look at it'],
  ['/', 'Look at it'],
])('names what is behind %s', (link, words) => {
  expect(linkWords(link)).toBe(words);
});

const title = 'SPF or DKIM alignment dropped for example.com';
const drop = { type: 'alignment_drop', title, message: `${title}.`, key: 'alignment_drop/example.com/dkim/2026-11-23' };

it('says by what and when alignment dropped', () => {
  expect(messageOf(drop, formatsOf('en-GB'))).toBe('By DKIM, on 23 Nov 2026.');
});

it('does not repeat a title as message', () => {
  const formats = formatsOf('en-GB');
  expect(messageOf({ ...drop, type: 'mx_changed' }, formats)).toBeUndefined();
  expect(messageOf({ ...drop, type: 'mx_changed', message: 'Another.' }, formats)).toBe('Another.');
});
