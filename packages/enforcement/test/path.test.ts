import { expect, it } from 'vitest';
import {
  effectivePolicies,
  nextStep,
  recordAt,
  stageOf,
  stagesOf,
  tagsOfStep,
  type AppliedPolicy,
} from '@dmarc-ledger/enforcement';

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
  [policy('reject', { sp: 'none', isBelow: true }), 'reject', undefined],
  [policy('none', { isBelow: true }), 'monitor', 'quarantine'],
  [policy('reject', { sp: 'none', np: 'reject' }), 'reject', 'sp_reject'],
] as const)('finds where a domain stands, and what comes next (%#)', (published, stage, step) => {
  expect(stageOf(published)).toBe(stage);
  expect(nextStep(published)).toBe(step);
});

const ALL = ['unpublished', 'monitor', 'test', 'quarantine', 'reject', 'subdomains'];
const WITHOUT_TEST = ALL.filter((stage) => stage !== 'test');
it.each([
  ['p=none', policy('none'), ALL],
  ['p=none; sp=none', policy('none', { sp: 'none' }), ALL],
  ['p=none; sp=quarantine', policy('none', { sp: 'quarantine' }), WITHOUT_TEST],
  ['p=none; sp=reject', policy('none', { sp: 'reject' }), WITHOUT_TEST],
  ['p=none; np=reject', policy('none', { np: 'reject' }), WITHOUT_TEST],
  ['p=none; sp=quarantine; t=y', policy('none', { sp: 'quarantine', isPartly: true }), ALL],
  ['p=none; sp=reject; pct=50', policy('none', { sp: 'reject', isPartly: true }), ALL],
  ['p=quarantine', policy('quarantine'), ALL],
  ['p=quarantine; t=y', policy('quarantine', { isPartly: true }), ALL],
  ['p=none below another', policy('none', { isBelow: true }), ALL.slice(0, -1)],
] as const)(
  'passes through no test mode that takes from names below the domain what they have: %s',
  (_, from, stages) => {
    expect(stagesOf(from)).toEqual(stages);
  },
);

it('adds sp to a record of which no check knows whether one stands above', () => {
  const below = { ...policy('none'), isBelow: true };
  expect(tagsOfStep('quarantine', below)).toBe('p=quarantine');
  expect(tagsOfStep('quarantine', { ...below, isBelowAssumed: true })).toBe('p=quarantine; sp=none');
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
  [
    'v=DMARC1; p=quarantine; t=y; rua=mailto:a@b.example',
    'quarantine',
    'v=DMARC1; p=quarantine; sp=none; rua=mailto:a@b.example',
  ],
  [
    'v=DMARC1; p=quarantine; sp=quarantine; np=reject; pct=10; rua=mailto:a@b.example',
    'quarantine',
    'v=DMARC1; p=quarantine; sp=none; np=quarantine; rua=mailto:a@b.example',
  ],
  [
    'v=DMARC1; p=reject; pct=10; rua=mailto:a@b.example',
    'reject',
    'v=DMARC1; p=reject; sp=quarantine; rua=mailto:a@b.example',
  ],
  [
    'v=DMARC1; p=quarantine; sp=quarantine; rua=mailto:a@b.example',
    'reject',
    'v=DMARC1; p=reject; sp=quarantine; rua=mailto:a@b.example',
  ],
  ['v=DMARC1; p=quarantine; rua=mailto:a@b.example', 'monitor', 'v=DMARC1; p=none; rua=mailto:a@b.example'],
  ['v=DMARC1; p=reject; sp=none', 'subdomains', 'v=DMARC1; p=reject; sp=reject; np=reject; rua=mailto:us@own.example'],
] as const)('writes the record of a stage from that of today (%#)', (record, stage, expected) => {
  const tags = tagsOf(record);
  const level = (name: string) => (tags.get(name) ?? null) as AppliedPolicy['p'];
  const published = { p: level('p'), sp: level('sp'), np: level('np'), isPartly: tags.has('t') || tags.has('pct') };
  expect(recordAt(stage, tags, published, 'us@own.example')).toBe(expected);
});

it('keeps the subdomains of a domain without a record where they are', () => {
  expect(recordAt('quarantine', new Map(), policy(null), 'us@own.example')).toBe(
    'v=DMARC1; p=quarantine; sp=none; rua=mailto:us@own.example',
  );
  expect(recordAt('monitor', new Map(), policy(null), 'us@own.example')).toBe(
    'v=DMARC1; p=none; rua=mailto:us@own.example',
  );
});

it.each([
  ['quarantine', policy('none'), 'p=quarantine; sp=none'],
  ['quarantine', policy('none', { sp: 'reject' }), 'p=quarantine'],
  ['quarantine', policy('quarantine', { isPartly: true }), 'p=quarantine; sp=none without t or pct'],
  ['reject', policy('quarantine'), 'p=reject; sp=quarantine'],
  ['reject', policy('quarantine', { sp: 'none' }), 'p=reject'],
  [
    'reject',
    policy('reject', { isPartly: true, np: 'reject' }),
    'p=reject; sp=quarantine; np=quarantine without t or pct',
  ],
  ['sp_reject', policy('reject', { sp: 'none' }), 'sp=reject; np=reject'],
  ['sp_reject', policy('reject', { sp: 'none', np: 'reject' }), 'sp=reject'],
] as const)('names the tags that the step %s changes (%#)', (step, published, tags) => {
  expect(tagsOfStep(step, published)).toBe(tags);
});
