import { generateKeyPairSync } from 'node:crypto';
import type { Pages } from '@dmarc-ledger/testkit';

/** What a domain publishes, and the expected findings. */
export interface Published {
  domain: string;
  /** Lines of a zone file; the zone is the domain's own unless it lies in another's. */
  records?: string[];
  within?: string;
  isSigned?: boolean;
  /** Selectors and signers that its reports name. */
  selectors?: [selector: string, signer: string][];
  pages?: Pages;
  /** dmarc, forensic, tlsrpt, aprf. */
  states: [string, string, string, string];
  /** `status: sentence`, and `(from …)` when inherited: dmarc, spf, dkim, mta_sts, tls_rpt, bimi, dane, aprf. */
  found: [string, string, string, string, string, string, string, string];
}

export const OURS = 'rua=mailto:rua@ledger.example';
export const THEIRS = 'rua=mailto:rua@elsewhere.example';

/** A TXT record, its strings no longer than strings may be. */
export function txt(name: string, text: string): string {
  const strings = text.match(/.{1,255}/gs) ?? [''];
  return `${name} TXT ${strings.map((string) => `"${string}"`).join(' ')}`;
}

/** The text of a DKIM key. */
export function rsaKey(bits: number, tags = ''): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return `v=DKIM1; ${tags}p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
}

export const ed25519Key = `v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`;

/** A TLSA record of DANE-EE. */
export const tlsa = (host: string) => `_25._tcp.${host} TLSA 3 1 1 ${'ab'.repeat(32)}`;

const PATH = '.well-known/mta-sts.txt';
/** The TXT record of MTA-STS and the host's address; the policy is served separately. */
export const sts = (id = 'id=1') => [txt('_mta-sts', `v=STSv1; ${id};`), 'mta-sts A 127.0.0.1'];
export const policyOf = (domain: string, body: Pages[string]): Pages => ({ [`mta-sts.${domain}/${PATH}`]: body });
export const policy = (mode: string, mx: string, maxAge = 604_800) =>
  `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: ${maxAge}\r\n`;

export const svg = '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps"></svg>';
/** A BIMI record with a logo and maybe a certificate, both at `logo.test`. */
export const bimi = (logo: string, evidence = '') =>
  txt('default._bimi', `v=BIMI1; l=https://logo.test/${logo}; a=${evidence && `https://logo.test/${evidence}`}`);

export const NO = {
  dmarc: 'error: No DMARC record is published.',
  spf: 'error: No SPF record is published.',
  spfNeeded: 'unknown: No SPF record is published; no mail of this subdomain is known.',
  dkim: 'unknown: No DKIM selector is known yet; selectors appear once reports arrive.',
  sts: 'error: No MTA-STS record is published.',
  tls: 'error: No TLS-RPT record is published.',
  bimi: 'error: No BIMI record is published.',
  mx: 'unknown: The domain has no mail servers.',
  dane: 'error: The mail servers publish no DANE records.',
  aprf: 'unknown: No APRF record was found.',
};
export const UNREAD = 'unknown: DNS could not be read; the last attempt failed.';
export const spfOk = (lookups: number) => `ok: The SPF record is valid and uses ${lookups} of 10 DNS lookups.`;
export const cannotParse = (what: string, reason: string) => `error: The ${what} record cannot be parsed: ${reason}.`;
