import { describe, expect, it } from 'vitest';
import type { SenderEntry } from '../src/index.ts';
import { senderEntries } from '../src/senders/sender-data.ts';

const CATEGORIES = new Set(
  `mailbox forwarder mailing_list relay transactional marketing crm helpdesk collaboration devops finance hr ecommerce
  survey events community education nonprofit government internal_comms social security_gateway security_awareness
  signature hosting cloud`.split(/\s+/),
);
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z0-9-]+$/;

const fields = ['ptr_suffixes', 'dkim_domains', 'spf_includes', 'asn'] as const;
const valuesOf = (entry: SenderEntry, field: (typeof fields)[number]): readonly (string | number)[] =>
  entry[field] ?? [];

describe('the sender data', () => {
  it('has a unique slug for each service', () => {
    const slugs = senderEntries.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.filter((slug) => !/^[a-z0-9-]+$/.test(slug))).toEqual([]);
  });

  it('knows each service by something, under a known category, with a name and an icon', () => {
    const poor = senderEntries.filter(
      (entry) =>
        !fields.some((field) => valuesOf(entry, field).length > 0) ||
        !CATEGORIES.has(entry.category) ||
        !entry.name ||
        !/^[a-z0-9-]+$/.test(entry.icon),
    );
    expect(poor).toEqual([]);
  });

  it('holds lower-case names without leading dot or wildcard, and whole numbers of networks', () => {
    const names = senderEntries.flatMap((entry) => [
      ...entry.ptr_suffixes,
      ...entry.dkim_domains,
      ...entry.spf_includes,
    ]);
    expect(names.filter((name) => !NAME.test(name))).toEqual([]);
    expect(senderEntries.flatMap(({ asn = [] }) => asn).filter((asn) => !Number.isInteger(asn) || asn < 1)).toEqual([]);
  });

  it.each(fields)('says of no value in %s that it is two services', (field) => {
    const values = senderEntries.flatMap((entry) => valuesOf(entry, field));
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  });
});
