import { createOrganization } from '@dmarc-ledger/ledger';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resolveTerms } from '../src/reports/report-search.ts';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it.each([
  ['a word once, however often it is written', 'mail  mail mail', ['mail']],
  ['a word once in any case', 'Mail mail MAIL Google', ['mail', 'google']],
  ['words of which one is a part of the other', 'mail mailer', ['mail', 'mailer']],
  ['words beyond ASCII in each case, which some databases compare', 'é É é', ['é', 'É']],
  ['no word of a text without one', '  ', []],
])('a search of reports looks for %s', async (_, search, expected) => {
  const { id } = await createOrganization(database.db, { name: search });
  const terms = await resolveTerms(database.db, id, search, 0);
  expect(terms.map(({ text }) => text)).toEqual(expected);
});
