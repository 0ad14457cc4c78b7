import { isGenericPtr } from '../reverse-dns/generic-ptr.ts';
import { findIdentities } from './count-identities.ts';
import { evidenceStrength, type Finding, type SenderEvidence, type SenderStrength, type Witness } from './evidence.ts';
import type { SenderCategory, Sender } from './sender.ts';
import { knownSenders } from './sender-matcher.ts';

/** The service behind an address, and the evidence. */
export interface IdentifiedSender extends Sender {
  strength: SenderStrength;
  /** The evidence for this service, best first. */
  witnesses: Witness[];
  /** The evidence for other services, best first: a forwarder shows the identity of the original service. */
  contradictions: Witness[];
}

/** An access provider's home connections share the domain of its mail servers. */
const SHARED_DOMAINS = new Set<SenderCategory>(['mailbox', 'hosting', 'cloud']);

/**
 * Identifies the service that operates an address. The best evidence decides, whatever the rest says: the operator of
 * the host, not the author of the message, distinguishes a forwarder from the original sender. (rules,
 * senders/evidence-for-a-service)
 */
export function identifySender(evidence: SenderEvidence): IdentifiedSender | undefined {
  const findings = [
    ...byHostName(evidence, true),
    ...findIdentities('dkim', evidence.mail ?? [], knownSenders.byDkimDomain),
    ...findIdentities('spf', evidence.mail ?? [], knownSenders.bySpfDomain),
    ...byHostName(evidence, null),
    ...byNetwork(evidence.asn),
  ];
  const best = findings[0];
  if (!best) return undefined;
  const agrees = (finding: Finding) => finding.slug === best.slug;
  const witnesses = findings.filter(agrees).map(asWitness);
  const contradictions = findings.filter((finding) => !agrees(finding)).map(asWitness);
  return { ...best.sender, strength: strengthOf(best, witnesses), witnesses, contradictions };
}

/** True if the service may be named: `service_*` is shown for strong and medium evidence. */
export function isNamed(sender: IdentifiedSender | undefined): sender is IdentifiedSender {
  return sender !== undefined && sender.strength !== 'weak';
}

/** Anyone can name a host `mail.google.com`, so a name that does not resolve back is no evidence. */
function byHostName({ ip, ptr = [] }: SenderEvidence, confirmed: true | null): Finding[] {
  const findings = ptr
    .filter((name) => name.confirmed === confirmed)
    .flatMap(({ name }): Finding[] => {
      const match = knownSenders.byHostName(name);
      if (!match || (SHARED_DOMAINS.has(match.value.category) && isGenericPtr(name, ip))) return [];
      const evidence = confirmed ? 'ptr' : 'ptr_unchecked';
      const { slug } = match.value;
      const strength = evidenceStrength[evidence];
      return [{ evidence, strength, slug, seen: name, entry: match.suffix, sender: match.value }];
    });
  return findings.sort((a, b) => b.entry.length - a.entry.length || (a.slug < b.slug ? -1 : 1));
}

function byNetwork(asn: number | undefined): Finding[] {
  const sender = asn === undefined ? undefined : knownSenders.byAsn(asn);
  if (!sender) return [];
  const { slug } = sender;
  return [{ evidence: 'asn', strength: 'weak', slug, seen: `AS${asn}`, entry: `${asn}`, sender }];
}

/** An unchecked name is medium evidence only if something else agrees with it; alone it identifies no sender. */
function strengthOf(best: Finding, witnesses: Witness[]): SenderStrength {
  return best.evidence === 'ptr_unchecked' && witnesses.every(isUnchecked) ? 'weak' : best.strength;
}

const isUnchecked = ({ evidence }: Witness) => evidence === 'ptr_unchecked';

function asWitness(finding: Finding): Witness {
  const { sender: _, ...witness } = finding;
  return witness;
}
