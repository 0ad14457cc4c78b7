import { expect, it } from 'vitest';
import { shownEmptyState } from '../src/texts/empty-state.ts';

const figures = { spf_pass: 50, dkim_pass: 50, policy: 'reject' as const };
const shown = (rate: number, empty_state: Parameters<typeof shownEmptyState>[0]['empty_state']) =>
  shownEmptyState({ domain: 'half.example', compliance: { rate, ...figures }, empty_state });

it('says that mail fails, and never that nothing needs action, where half of it does', () => {
  const state = {
    healthy: false,
    message: 'Nothing needs action right now, but compliance can improve.',
    cta_url: '/sources?domain=half.example',
    cta_label: 'Review sources',
  };
  expect(shown(50, state)).toEqual({
    healthy: false,
    message: 'No item is open, but 50% of the mail of 30 days fails DMARC. See whether a sender of yours is in it.',
    cta_url: '/domains/half.example/enforce',
    cta_label: 'What fails, and what to repair',
  });
  expect(shown(100, state)).toEqual(state);
});

it('says what v1 says otherwise', () => {
  const good = { healthy: true, message: 'Everything looks good.' };
  expect(shown(99, good)).toEqual(good);
  expect(shown(99, undefined)).toBeUndefined();
});
