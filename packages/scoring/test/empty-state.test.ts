import { emptyState, type EmptyFacts } from '@dmarc-ledger/scoring';
import { expect, it } from 'vitest';

const good: EmptyFacts = {
  domain: 'example.com',
  hasReports: true,
  isAhead: false,
  isVerified: true,
  isLocked: false,
  statuses: ['ok', 'ok', 'ok'],
  fault: undefined,
  score: 90,
};
const none = { hasReports: false, score: 0 };
const AHEAD = 'Reports arrive, but they are dated after today; they count once their day has come.';
const BROKEN = 'The TLS-RPT record is not valid.';
const WAITING = 'Waiting for the first report; receivers usually send one within 48 hours.';

it.each<[string, Partial<EmptyFacts>, boolean, string]>([
  ['whose reports are all dated after today', { ...none, isAhead: true }, false, AHEAD],
  ['that is not verified, and whose reports are', { ...none, isAhead: true, isVerified: false }, false, AHEAD],
  [
    'without reports that is not verified',
    { ...none, isVerified: false },
    false,
    'Point your DMARC record at us to start receiving reports.',
  ],
  ['without reports', none, false, WAITING],
  ['that is locked', { isLocked: true, statuses: ['unknown'] }, true, 'Everything looks good.'],
  ['with a check without an answer', { statuses: ['unknown'] }, false, 'Some DNS records could not be checked.'],
  ['with a published record that is broken', { fault: BROKEN }, false, BROKEN],
  ['with a broken record, and locked', { fault: BROKEN, isLocked: true }, false, BROKEN],
  ['with a score below 80', { score: 79 }, false, 'Nothing needs action right now, but compliance can improve.'],
  ['with a score of 80', { score: 80 }, true, 'Everything looks good.'],
])('a domain without open items %s says so', (_, facts, healthy, message) => {
  expect(emptyState({ ...good, ...facts })).toMatchObject({ healthy, message });
});
