import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtInLists, readBlocklists } from '../src/index.ts';

const text = readFileSync(new URL('../../../docs/enrichment.md', import.meta.url), 'utf8');

it('documents a file of blocklists that works as it stands', () => {
  const { lists, faults } = readBlocklists(/```json\n(.*?)```/s.exec(text)![1]!);
  expect(faults).toEqual([]);
  const byId = Object.fromEntries(lists.map((list) => [list.id, list]));
  expect(byId['spamhaus-zen']!.zone.v4).toBe('your-dqs-key.zen.dq.spamhaus.net');
  expect([byId['s5h']!.enabled, byId['validity']!.enabled]).toEqual([false, false]);
  expect(byId['in-house']).toMatchObject({ enabled: true, tier: 2, zone: { v4: 'bl.example.com' } });
});

it('documents every list that is built in, by its id and its zone', () => {
  const lists = builtInLists.filter(({ isFeed }) => !isFeed);
  expect(lists.length).toBeGreaterThan(15);
  for (const { id, zone } of lists) {
    expect(text).toContain(`\`${id}\``);
    expect(text).toContain((zone.v4 ?? '').replace(/^(v4|dnsbl-2|dnsbl-3)\..*/, '$1.'));
  }
});
