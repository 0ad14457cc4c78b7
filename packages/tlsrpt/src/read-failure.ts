import { canonicalIp, countOf, isJsonObject, textField } from '@dmarc-ledger/vocabulary';
import type { Json, JsonObject, WarningList } from '@dmarc-ledger/vocabulary';
import { MAX_REMARK, MAX_TEXT } from './limits.ts';
import type { TlsFailure } from './report.ts';

const RESULT_TYPES = new Set([
  'starttls-not-supported',
  'certificate-host-mismatch',
  'certificate-expired',
  'certificate-not-trusted',
  'validation-failure',
  'tlsa-invalid',
  'dnssec-invalid',
  'dane-required',
  'sts-policy-fetch-error',
  'sts-policy-invalid',
  'sts-webpki-invalid',
]);

/**
 * One kind of failure (RFC 8460, 4.3); large reporters omit addresses and hosts. Undefined for anything but an object.
 */
export function readFailure(json: Json, warnings: WarningList): TlsFailure | undefined {
  if (!isJsonObject(json)) return void warnings.add('failure_invalid');
  const text = (name: string, limit = MAX_TEXT) => textField(json, name, limit, warnings);
  return {
    resultType: readResultType(json, warnings),
    sendingIp: readIp(text('sending-mta-ip'), warnings),
    receivingIp: readIp(text('receiving-ip'), warnings),
    receivingHost: text('receiving-mx-hostname'),
    receivingHelo: text('receiving-mx-helo'),
    sessions: countOf(json.get('failed-session-count'), 'failed-session-count', warnings) ?? null,
    reasonCode: text('failure-reason-code'),
    information: text('additional-information', MAX_REMARK) ?? text('additional-info-uri', MAX_REMARK),
  };
}

function readResultType(json: JsonObject, warnings: WarningList): string | null {
  const type = textField(json, 'result-type', MAX_TEXT, warnings)?.toLowerCase() ?? null;
  if (type === null) warnings.add('result_type_missing');
  else if (!RESULT_TYPES.has(type)) warnings.add('result_type_unknown');
  return type;
}

function readIp(text: string | null, warnings: WarningList): string | null {
  if (text === null) return null;
  const ip = canonicalIp(text.replace(/^\[(?:ipv6:)?(.*)\]$/i, '$1'));
  if (ip === undefined) warnings.add('ip_invalid');
  return ip ?? null;
}
