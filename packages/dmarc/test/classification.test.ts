import { describe, expect, it } from 'vitest';
import { alignRecord, classifyRecord, classifySource, type SourceFacts } from '../src/index.ts';
import { policy, record } from './records.ts';

const gmail: SourceFacts = { sender: { forwarder: false, category: 'mailbox' } };
const sendgrid: SourceFacts = { sender: { forwarder: false, category: 'esp' } };
const improvmx: SourceFacts = { sender: { forwarder: true, category: 'forwarder' } };
const vps = record({ spf: [['example.com', 'fail']] });
const forwarded = record({ spf: [['improvmx.com', 'pass']] });
const list = record({ spf: [['lists.example.net', 'pass']], dkim: [['example.com', 'fail']] });

describe('a failing record is classed by its evidence', () => {
  it.each([
    ['K1', record({ reasons: [{ type: 'mailing_list', comment: null }] }), {}, 'likely_forwarded'],
    [
      'K2',
      record({ reasons: [{ type: 'local_policy', comment: 'arc=pass as.1.google.com=pass' }] }),
      {},
      'likely_forwarded',
    ],
    ['K3', record({ reasons: [{ type: 'local_policy', comment: 'arc=fail' }] }), {}, 'needs_review'],
    ['K4', record({ spf: [['gmail.com', 'pass']], dkim: [['example.com', 'fail']] }), gmail, 'likely_forwarded'],
    ['K5', record({ spf: [['gmail.com', 'pass']] }), gmail, 'needs_review'],
    ['K6', vps, {}, 'needs_review'],
    ['K7', vps, { abuseStatus: 'malicious' }, 'suspicious'],
    ['K8', vps, { abuseStatus: 'suspicious' }, 'suspicious'],
    ['K9', vps, { ptr: null }, 'needs_review'],
    ['K10', vps, { ptr: { name: '203-0-113-5.dyn.isp.example', confirmed: false, generic: true } }, 'suspicious'],
    ['K11', record({ spf: [['sendgrid.net', 'pass']], dkim: [['sendgrid.net', 'pass']] }), sendgrid, 'needs_review'],
    ['K12', record({ spf: [['example.com', 'fail']], dkim: [['example.com', 'fail']] }), {}, 'needs_review'],
    ['K13', forwarded, improvmx, 'likely_forwarded'],
    ['K14', forwarded, { ...improvmx, listedTiers: [3] }, 'likely_forwarded'],
    [
      'a forwarder that a list of tier 3 and one of tier 2 carry',
      forwarded,
      { ...improvmx, listedTiers: [3, 2] },
      'suspicious',
    ],
    ['K15', forwarded, { ...improvmx, listedTiers: [4] }, 'suspicious'],
    ['K16', list, {}, 'likely_forwarded'],
    ['K17', list, { abuseStatus: 'suspicious', listedTiers: [2] }, 'suspicious'],
    ['K18', record({ dkim: [['example.com', 'pass']], spf: [['relay.example.net', 'pass']] }), {}, 'likely_forwarded'],
    ['K19', record({ evaluated: ['pass', 'fail'] }), { abuseStatus: 'malicious' }, 'authenticated'],
    ['K20', record({ dkim: [['evil.example', 'pass']] }), { abuseStatus: 'unknown' }, 'needs_review'],
    ['a Tor exit', vps, { torExit: true }, 'suspicious'],
    ['a tier 3 listing of no forwarder', vps, { listedTiers: [3] }, 'suspicious'],
  ] as const)('%s', (_, given, facts, expected) => {
    expect(classifyRecord(given, alignRecord(given, policy()), facts as SourceFacts)).toBe(expected);
  });
});

describe('a source is classed by its messages', () => {
  it.each([
    [100, 0, 0, 0, 'authenticated'],
    [90, 10, 0, 0, 'authenticated'],
    [89, 11, 0, 0, 'suspicious'],
    [50, 0, 20, 30, 'likely_forwarded'],
    [0, 0, 25, 25, 'needs_review'],
    [0, 5, 5, 4, 'suspicious'],
    [0, 0, 0, 0, 'needs_review'],
  ] as const)(
    '%i pass; %i suspicious, %i to review, %i forwarded: %s',
    (passed, suspicious, needsReview, forwardedMessages, expected) => {
      const total = passed + suspicious + needsReview + forwardedMessages;
      expect(classifySource({ total, passed, suspicious, needsReview, forwarded: forwardedMessages })).toBe(expected);
    },
  );
});
