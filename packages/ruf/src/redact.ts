import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';

const QUOTED = /"(?:[^"\\]|\\.){0,200}"(?=@)/g;
const TOKEN = /[^\s;,()<>[\]]+/g;
/** The property of a result before the address: `smtp.mailfrom=`. */
const PROPERTY = /^(?:(?:smtp|header|body|policy|envelope)\.[a-z0-9_-]{1,40}|from)=/i;
const LONGEST_ADDRESS = 320;

/** A text without the local part of any address in it: `@example.com` stays. */
export function redact(text: string): string {
  return text.replace(QUOTED, '').replace(TOKEN, redactToken);
}

function redactToken(token: string): string {
  const plain = token.replaceAll('%40', '@');
  const at = plain.lastIndexOf('@');
  return at < 0 ? token : (PROPERTY.exec(plain)?.[0] ?? '') + plain.slice(at);
}

/** The domain of an address, or of a name that stands for one; null for none. */
export function domainOf(address: string): string | null {
  const bare = /<([^<>]*)>/.exec(address)?.[1] ?? address.trim();
  if (bare.length > LONGEST_ADDRESS) return null;
  const domain = normalizeDomain(bare.slice(bare.lastIndexOf('@') + 1));
  return isDomainName(domain) ? domain : null;
}
