import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { ownText } from './own-text.ts';
import type { Warn } from './warn.ts';

/** An address in its canonical form, and as the report wrote it, repaired. */
export interface SourceIp {
  canonical: string;
  text: string;
}

const LONGEST = 200;
const REDACTED = /^x+(?:\.x+){3}$/i;
const DOTTED = /^\d+(?:\.\d+){3}$/;
const LEADING_ZERO = /(?:^|\.)0\d/;
const BRACKETED = /^\[(?:ipv6:)?([^\]]+)\](?::\d{1,5})?$/i;
const PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/**
 * The address of a row (RFC 9990, 3.1.1.9; rules, reading-reports/source-addresses). Undefined, with the reason warned,
 * when there is none to keep.
 */
export function readIp(raw: string | null, warn: Warn): SourceIp | undefined {
  const text = ownText(raw?.trim() ?? '');
  if (text === '') return void warn('source_ip_missing');
  const canonical = canonicalIp(text);
  if (canonical !== undefined) return plain(text, canonical, warn);
  if (REDACTED.test(text)) return void warn('source_ip_redacted');
  if (DOTTED.test(text) && LEADING_ZERO.test(text)) return void warn('source_ip_leading_zero');
  const repaired = text.length <= LONGEST ? repairIp(text) : undefined;
  if (!repaired) return void warn('source_ip_invalid');
  warn(repaired.code);
  return { canonical: repaired.canonical, text: repaired.text };
}

function plain(text: string, canonical: string, warn: Warn): SourceIp {
  if (canonical.includes(':') || !text.includes(':')) return { canonical, text };
  warn('source_ip_mapped');
  return { canonical, text: canonical };
}

function repairIp(text: string): (SourceIp & { code: string }) | undefined {
  const bare = unwrap(text);
  const canonical = canonicalIp(bare);
  if (canonical !== undefined) return { canonical, text: bare, code: 'source_ip_bracketed' };
  for (const part of text.split(/[\s,;]+/)) {
    const first = canonicalIp(part);
    if (first !== undefined && /[\s,;]/.test(text)) return { canonical: first, text: part, code: 'source_ip_multiple' };
  }
  return undefined;
}

/** Without brackets, `IPv6:`, port and zone, which some reporters add to an address. */
function unwrap(text: string): string {
  const inner = BRACKETED.exec(text)?.[1] ?? PORT.exec(text)?.[1] ?? text;
  return inner.replace(/^ipv6:/i, '').replace(/%[\w.-]*$/, '');
}
