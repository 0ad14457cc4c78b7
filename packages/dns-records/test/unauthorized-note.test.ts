import { expect, it } from 'vitest';
import { readUnauthorizedNote } from '../src/index.ts';
import { unauthorizedNote } from '../src/checks/unauthorized-note.ts';

it('reads a host that takes no reports back from the note about it, and from no other note', () => {
  const missing = { host: 'ledger.example', record: 'example.com._report._dmarc.ledger.example' };
  expect(readUnauthorizedNote(unauthorizedNote(missing))).toEqual(missing);
  expect(readUnauthorizedNote('the record is long')).toBeUndefined();
});
