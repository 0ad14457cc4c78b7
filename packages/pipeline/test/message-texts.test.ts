import { expect, it } from 'vitest';
import { faulty } from '../../../test/support/sentence-faults.ts';
import { heldPart } from '../src/intake/hold-reports.ts';
import { duplicatePart, untakenParts } from '../src/intake/message-parts.ts';

/** The longest domain name: 253 characters, in labels of 63. */
const LONGEST_NAME = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'b'.repeat(61)].join('.');
const cases = [0, 1, 2, 1_000, 1_234_567].flatMap((number) =>
  ['example.com', LONGEST_NAME].map((name) => ({ number, name })),
);
const place = { path: 'a.xml', sha256: 'ab' };

it.each(cases)(
  'every outcome of an uploaded or mailed document is a sentence with $number and $name',
  ({ number, name }) => {
    const metadata = {
      reporterName: name,
      email: null,
      extraContactInfo: null,
      reportId: null,
      begin: null,
      end: null,
    };
    const header = { metadata, policyPublished: { domain: name } } as unknown as Parameters<typeof heldPart>[1];
    const untaken = (choice: Parameters<typeof untakenParts>[1], domains: readonly string[]) =>
      untakenParts({ ...place, kind: 'rua' }, choice, domains);
    const parts = [
      duplicatePart('a.xml', 'ab', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
      heldPart({ ...place, isImported: false }, header, { records: number, messages: number }),
      heldPart({ ...place, isImported: true }, header, { records: number, messages: number }),
      ...untaken({ kind: 'nobodys' }, [name]),
      ...untaken({ kind: 'nobodys' }, []),
      ...untaken({ kind: 'assigned', organizations: number }, []),
    ];
    const sentences = parts.flatMap(({ message }) => message ?? []);
    expect(sentences).toHaveLength(parts.length);
    expect(faulty(sentences, name)).toEqual([]);
  },
);
