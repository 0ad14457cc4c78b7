import { describe, expect, it } from 'vitest';
import {
  alignRecord,
  classifyRecord,
  classifySource,
  type HasPassed,
  type ReportRecord,
  type SourceFacts,
} from '../src/index.ts';
import { policy, record } from './records.ts';

const gmail: SourceFacts = { sender: { forwarder: false, category: 'mailbox' } };
const sendgrid: SourceFacts = { sender: { forwarder: false, category: 'esp' } };
const improvmx: SourceFacts = { sender: { forwarder: true, category: 'forwarder' } };
const goodPtr: SourceFacts = { ptr: { name: 'mx1.evil.example', confirmed: true, generic: false } };
const vps = record({ spf: [['example.com', 'fail']] });
const forwarded = record({ spf: [['improvmx.com', 'pass']] });
const list = record({ spf: [['lists.example.net', 'pass']], dkim: [['example.com', 'fail']] });

const forged = record({ spf: [['evil.example', 'pass']], dkim: [['example.com', 'fail', 'forged']] });
const listPtr: SourceFacts = { ptr: { name: 'lists.evil.example', confirmed: true, generic: false } };
const comment = (text: string) => record({ reasons: [{ type: 'local_policy', comment: text }] });

describe('a failing record is classed by its evidence', () => {
  it.each([
    ['K1', record({ reasons: [{ type: 'mailing_list', comment: null }] }), {}, 'proved'],
    ['K2', comment('arc=pass as.1.google.com=pass'), {}, 'proved'],
    ['K3', comment('arc=fail'), {}, 'needs_review'],
    ['K4', record({ spf: [['gmail.com', 'pass']], dkim: [['example.com', 'fail']] }), gmail, 'proved'],
    ['K5', record({ spf: [['gmail.com', 'pass']] }), gmail, 'needs_review'],
    ['K6', vps, {}, 'needs_review'],
    ['K7', vps, { abuseStatus: 'malicious' }, 'suspicious'],
    ['K8', vps, { abuseStatus: 'suspicious' }, 'suspicious'],
    ['K9', vps, { ptr: null }, 'needs_review'],
    ['K10', vps, { ptr: { name: '203-0-113-5.dyn.isp.example', confirmed: false, generic: true } }, 'suspicious'],
    ['K11', record({ spf: [['sendgrid.net', 'pass']], dkim: [['sendgrid.net', 'pass']] }), sendgrid, 'needs_review'],
    ['K12', record({ spf: [['example.com', 'fail']], dkim: [['example.com', 'fail']] }), {}, 'needs_review'],
    ['K13', forwarded, improvmx, 'proved'],
    ['K14', forwarded, { ...improvmx, listedTiers: [3] }, 'proved'],
    [
      'a forwarder that a list of tier 3 and one of tier 2 carry',
      forwarded,
      { ...improvmx, listedTiers: [3, 2] },
      'suspicious',
    ],
    ['K15', forwarded, { ...improvmx, listedTiers: [4] }, 'suspicious'],
    ['K16', list, {}, 'inferred'],
    ['K17', list, { abuseStatus: 'suspicious', listedTiers: [2] }, 'suspicious'],
    ['K18', record({ dkim: [['example.com', 'pass']], spf: [['relay.example.net', 'pass']] }), {}, 'proved'],
    ['K19', record({ evaluated: ['pass', 'fail'] }), { abuseStatus: 'malicious' }, 'authenticated'],
    ['K20', record({ dkim: [['evil.example', 'pass']] }), { abuseStatus: 'unknown' }, 'needs_review'],
    ['K22', forged, goodPtr, 'needs_review'],
    ['K23', forged, listPtr, 'inferred'],
    ['K24', comment('arc=none (arc=pass missing)'), {}, 'needs_review'],
    ['a Tor exit', vps, { torExit: true }, 'suspicious'],
    ['a tier 3 listing of no forwarder', vps, { listedTiers: [3] }, 'suspicious'],
  ] as const)('%s', (_, given, facts, expected) => {
    expect(named(given, facts as SourceFacts, () => true)).toBe(expected);
  });
});

describe('a broken signature is evidence only when its selector has passed before', () => {
  it.each([
    ['K4', record({ spf: [['gmail.com', 'pass']], dkim: [['example.com', 'fail']] }), gmail, 'needs_review'],
    ['K12', record({ spf: [['example.com', 'fail']], dkim: [['example.com', 'fail']] }), {}, 'needs_review'],
    ['K16', list, {}, 'needs_review'],
    ['K17', list, { abuseStatus: 'suspicious', listedTiers: [2] }, 'suspicious'],
    ['K21', forged, goodPtr, 'needs_review'],
    ['K23', forged, listPtr, 'needs_review'],
  ] as const)('%s', (_, given, facts, expected) => {
    expect(named(given, facts as SourceFacts, () => false)).toBe(expected);
  });

  it('asks for the signer and the selector in lower case, and for an empty selector where none is named', () => {
    const asked: string[] = [];
    const mail = record({
      dkim: [
        ['example.com', 'fail', 'S1'],
        ['example.com', 'temperror'],
        ['other.example', 'fail', 'x'],
      ],
    });
    named(mail, {}, ({ signer, selector }) => {
      asked.push(`${selector}@${signer}`);
      return false;
    });
    expect(asked).toEqual(['s1@example.com', '@example.com']);
  });
});

describe('ARC has passed when a token of the comment says so', () => {
  it.each([
    ['arc=pass', 'proved'],
    ['ARC=Pass; dmarc=fail', 'proved'],
    ['dkim=fail,arc=pass', 'proved'],
    ['xarc=pass', 'needs_review'],
    ['arc=passed', 'needs_review'],
    ['arc = pass', 'needs_review'],
    ['arc=fail (nested (arc=pass) arc=pass', 'needs_review'],
    ['noarc=pass no-arc=pass', 'needs_review'],
  ] as const)('%s: %s', (text, expected) => {
    expect(named(comment(text))).toBe(expected);
  });
});

/** The class; of forwarded mail whether it is proved or inferred. */
function named(given: ReportRecord, facts: SourceFacts = {}, hasPassed?: HasPassed): string {
  const { class: found, isProved } = classifyRecord(given, alignRecord(given, policy()), facts, hasPassed);
  if (found !== 'likely_forwarded') return isProved ? `${found}, proved` : found;
  return isProved ? 'proved' : 'inferred';
}

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
