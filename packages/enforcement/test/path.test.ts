import { expect, it } from 'vitest';
import { effectivePolicies, nextStep, recordAt, stageOf, type AppliedPolicy } from '@dmarc-ledger/enforcement';

const policy = (p: AppliedPolicy['p'], rest: Partial<AppliedPolicy> = {}): AppliedPolicy => ({
  p,
  sp: null,
  np: null,
  adkim: 'r',
  aspf: 'r',
  isPartly: false,
  ...rest,
});

it.each([
  [policy(null), 'unpublished', 'quarantine'],
  [policy('none'), 'monitor', 'quarantine'],
  [policy('quarantine', { isPartly: true }), 'test', 'quarantine'],
  [policy('quarantine'), 'quarantine', 'reject'],
  [policy('reject', { isPartly: true }), 'quarantine', 'reject'],
  [policy('reject', { sp: 'none' }), 'reject', 'sp_reject'],
  [policy('reject', { np: 'none' }), 'reject', 'np_reject'],
  [policy('reject'), 'subdomains', undefined],
  [policy('reject', { sp: 'none', np: 'reject' }), 'reject', 'sp_reject'],
] as const)('finds where a domain stands, and what comes next (%#)', (published, stage, step) => {
  expect(stageOf(published)).toBe(stage);
  expect(nextStep(published)).toBe(step);
});

it('gives names that do not exist the policy of np, else of sp, else of p', () => {
  expect(effectivePolicies({ p: 'reject', sp: 'none', np: 'reject' })).toEqual({
    subdomains: 'none',
    absent: 'reject',
  });
  expect(effectivePolicies({ p: 'reject', sp: 'none', np: null })).toEqual({ subdomains: 'none', absent: 'none' });
  expect(effectivePolicies({ p: 'reject', sp: null, np: null })).toEqual({ subdomains: 'reject', absent: 'reject' });
});

const tagsOf = (record: string) =>
  new Map(record.split('; ').map((tag) => [tag.split('=')[0] ?? '', tag.split('=').slice(1).join('=')]));

it.each([
  ['v=DMARC1; p=none; rua=mailto:a@b.example', 'test', 'v=DMARC1; p=quarantine; sp=none; t=y; rua=mailto:a@b.example'],
  [
    'v=DMARC1; p=none; pct=50; rua=mailto:a@b.example',
    'quarantine',
    'v=DMARC1; p=quarantine; sp=none; rua=mailto:a@b.example',
  ],
  [
    'v=DMARC1; p=quarantine; sp=none; t=y; rua=mailto:a@b.example',
    'quarantine',
    'v=DMARC1; p=quarantine; sp=none; rua=mailto:a@b.example',
  ],
  ['v=DMARC1; p=quarantine; rua=mailto:a@b.example', 'monitor', 'v=DMARC1; p=none; rua=mailto:a@b.example'],
  ['v=DMARC1; p=reject; sp=none', 'subdomains', 'v=DMARC1; p=reject; sp=reject; np=reject; rua=mailto:us@own.example'],
] as const)('writes the record of a stage from that of today (%#)', (record, stage, expected) => {
  const tags = tagsOf(record);
  const p = tags.get('p') === 'none' ? ('none' as const) : tags.get('p') === 'reject' ? 'reject' : 'quarantine';
  expect(recordAt(stage, tags, { p, sp: tags.has('sp') ? 'none' : null }, 'us@own.example')).toBe(expected);
});
