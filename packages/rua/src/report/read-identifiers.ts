import type { Identifiers } from '@dmarc-ledger/dmarc';
import { readAddressDomain } from '../values/read-domain.ts';
import type { Warn } from '../values/warn.ts';
import type { RawIdentifiers } from '../xml/raw-report.ts';

/**
 * The domains of the messages (RFC 9990, 3.1.1.7; rules, reading-reports/identifiers). Without a From domain, the
 * report's domain is used.
 */
export function readIdentifiers(raw: RawIdentifiers | null, policyDomain: string, warn: Warn): Identifiers {
  if (!raw) warn('identifiers_missing');
  return {
    headerFrom: readHeaderFrom(raw, policyDomain, warn),
    envelopeFrom: readEnvelope(raw?.envelope_from ?? null, 'envelope_from', warn),
    envelopeTo: readEnvelope(raw?.envelope_to ?? null, 'envelope_to', warn) || null,
  };
}

function readHeaderFrom(raw: RawIdentifiers | null, policyDomain: string, warn: Warn): string {
  const field = readAddressDomain(raw?.header_from ?? null, 'header_from', warn);
  if (!field?.domain) {
    if (raw) warn('header_from_missing');
    return policyDomain;
  }
  const { domain } = field;
  if (field.fromAddress || !field.isName) warn('header_from_invalid');
  if (domain !== policyDomain && !domain.endsWith(`.${policyDomain}`)) warn('header_from_outside_policy');
  return domain;
}

/** Empty for the null reverse-path, null when not sent. */
function readEnvelope(raw: string | null, name: string, warn: Warn): string | null {
  const field = readAddressDomain(raw, name, warn);
  if (field?.fromAddress && name === 'envelope_from') warn('envelope_from_address');
  return field?.domain ?? null;
}
