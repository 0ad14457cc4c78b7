import { expect, it } from 'vitest';
import { meaningOfAbsent } from '../src/texts/dns.ts';

const address = { address: '192.0.2.1', sender: '192.0.2.0/24', slug: null, name: '192.0.2.0/24', return_path: null };

it.each([
  ['SPF passes: the record of another name authorises it.', 100, 100, 0, null],
  ['SPF mostly passes: the record of another name authorises it.', 100, 50, 100, null],
  ['Passes by DKIM alone, as forwarded mail does. If the sender is yours, decide so.', 100, 0, 100, null],
  ['Mostly passes by DKIM alone, as forwarded mail does. If the sender is yours, decide so.', 100, 0, 50, null],
  ['Mostly passes by DKIM alone, as forwarded mail does. If the sender is yours, decide so.', 100, 9, 100, null],
  [
    'Mostly fails; some of it passes by DKIM, as forwarded mail does. If the sender is yours, decide so.',
    5_049,
    0,
    683,
    null,
  ],
  ['Fails SPF.', 100, 0, 0, null],
  ['Passes by DKIM alone; no SPF pass is aligned.', 100, 0, 100, 'ours' as const],
  ['Mostly passes by DKIM alone.', 100, 3, 60, 'ours' as const],
  ['Fails SPF.', 100, 0, 40, 'ours' as const],
  ['Mostly fails SPF.', 100, 49, 0, null],
])('an address in no term: %s', (meaning, messages, spf_pass, dkim_pass, decision) =>
  expect(meaningOfAbsent({ ...address, messages, spf_pass, dkim_pass, decision })).toBe(meaning),
);

it('an address in no term whose envelope sender is at another name', () => {
  const results = { messages: 100, spf_pass: 0, dkim_pass: 0, decision: 'ours' as const };
  const meaning = (more: object) =>
    meaningOfAbsent({ ...address, ...results, return_path: 'news.shop.example', ...more });
  const noTerm =
    'No term here would help: its envelope sender is at news.shop.example, and the SPF record of that name counts.';
  expect(meaning({})).toBe(`No SPF pass is aligned. ${noTerm}`);
  expect(meaning({ spf_pass: 4 })).toBe(`Mostly, no SPF pass is aligned. ${noTerm}`);
  expect(meaning({ dkim_pass: 100 })).toBe(`Passes by DKIM alone; no SPF pass is aligned. ${noTerm}`);
});
