import { describe, expect, it } from 'vitest';
import { identifySender, isNamed, type SenderEvidence } from '../src/index.ts';
import { knownServices, type KnownService } from './known-services.ts';

/** A volume-weighted share that has to be named, and named right. */
const SHARE = 0.95;

function evidenceOf({ ptr, dkim, spf, asn, messages }: KnownService): SenderEvidence {
  const own = 'customer.example';
  return {
    ip: '198.51.100.25',
    ...(ptr !== undefined && { ptr: [{ name: ptr, confirmed: true }] }),
    ...(asn !== undefined && { asn }),
    mail: [{ messages, dkim: dkim === undefined ? [own] : [own, dkim], spf: [spf ?? own] }],
  };
}

const nameOf = (evidence: SenderEvidence) => {
  const sender = identifySender(evidence);
  return isNamed(sender) ? sender.slug : undefined;
};
const total = knownServices.reduce((sum, { messages }) => sum + messages, 0);

function shareNamed(evidence: (service: KnownService) => SenderEvidence): number {
  const right = knownServices.filter((service) => nameOf(evidence(service)) === service.slug);
  return right.reduce((sum, { messages }) => sum + messages, 0) / total;
}

describe('sixty well-known services', () => {
  it('are sixty', () => {
    expect(new Set(knownServices.map(({ slug }) => slug)).size).toBe(60);
  });

  it('are named right for at least 95% of their mail', () => {
    const wrong = knownServices.filter((service) => nameOf(evidenceOf(service)) !== service.slug);
    expect(wrong.map(({ slug }) => slug)).toEqual([]);
    expect(shareNamed(evidenceOf)).toBeGreaterThanOrEqual(SHARE);
  });

  it('are never named by an unconfirmed host name alone', () => {
    const hosts = knownServices.flatMap(({ ptr }) => (ptr === undefined ? [] : [ptr]));
    const given = hosts.flatMap((name) =>
      [false, null].map((confirmed) => nameOf({ ip: '198.51.100.25', ptr: [{ name, confirmed }] })),
    );
    expect(given.filter((slug) => slug !== undefined)).toEqual([]);
  });

  it('are never named by a host name that does not resolve back, whatever the network', () => {
    const forged = ({ ptr, asn }: KnownService): SenderEvidence => ({
      ip: '198.51.100.25',
      ...(ptr !== undefined && { ptr: [{ name: ptr, confirmed: false }] }),
      ...(asn !== undefined && { asn }),
    });
    expect(shareNamed(forged)).toBe(0);
  });

  it('are never named by what merely looks like their name', () => {
    const lookalike = ({ ptr = 'x', dkim, spf }: KnownService): SenderEvidence => ({
      ip: '198.51.100.25',
      ptr: [{ name: `${ptr}.attacker.example`, confirmed: true }],
      mail: [{ messages: 10, dkim: [`not-${dkim}.example`], spf: [`${spf}.example`] }],
    });
    expect(shareNamed(lookalike)).toBe(0);
  });
});
