/** The meaning of each tag of a record of the form `tag=value; …`. (RFC 9989, 4.7; RFC 8460; RFC 8461; RFC 6376) */
const tagMeanings: { [protocol: string]: { [tag: string]: string } } = {
  dmarc: {
    v: 'This is a DMARC record.',
    p: 'What to do with failing mail of the domain: none, quarantine or reject.',
    sp: 'What to do with failing mail of subdomains that exist.',
    np: 'What to do with failing mail of subdomains that do not exist.',
    rua: 'Where aggregate reports are sent.',
    ruf: 'Where failure reports are sent.',
    adkim: 'How exactly the DKIM domain must match: r relaxed, s strict.',
    aspf: 'How exactly the SPF domain must match: r relaxed, s strict.',
    fo: 'When failure reports are wanted.',
    t: 'Test mode: with y, receivers apply the next weaker policy.',
    psd: 'Whether this is a public suffix domain.',
    pct: 'No longer means anything (RFC 9989). Older receivers apply the policy to this share of mail.',
    ri: 'No longer means anything (RFC 9989).',
    rf: 'No longer means anything (RFC 9989).',
  },
  tls_rpt: { v: 'This is a TLS reporting record.', rua: 'Where TLS reports are sent.' },
  mta_sts: { v: 'This is an MTA-STS record.', id: 'Changes whenever the policy file does.' },
  bimi: { v: 'This is a BIMI record.', l: 'Where the logo is.', a: 'Where its certificate is.' },
  dkim: {
    v: 'This is a DKIM key.',
    k: 'The kind of key.',
    p: 'The public key; empty when it was revoked.',
    t: 'Flags: y means test mode.',
    h: 'The hashes that may be used.',
    s: 'What the key may be used for.',
    n: 'A note.',
  },
};

const POLICED: { readonly [tag: string]: string } = {
  p: 'the domain',
  sp: 'subdomains that exist',
  np: 'subdomains that do not exist',
};
const POLICIES: { readonly [policy: string]: string } = {
  none: 'is treated like any other',
  quarantine: 'is to be treated as suspicious, for example in a spam folder',
  reject: 'is to be refused',
};

/** What a tag of a DMARC record says with its value; undefined for a tag that is no policy. */
function policyMeaning(tag: string, value: string): string | undefined {
  const mail = POLICED[tag];
  const fate = POLICIES[value.toLowerCase()];
  return mail && fate && `Failing mail of ${mail} ${fate}.`;
}

/** The meaning of the parts of an SPF record, by their beginning. (RFC 7208, 5 and 6) */
const spfMeanings: readonly [RegExp, string][] = [
  [/^v=spf1$/i, 'This is an SPF record.'],
  [/^[+?~-]?include:/i, 'The servers that this domain lists may send; costs a lookup.'],
  [/^[+?~-]?ip[46]:/i, 'This address or network may send.'],
  [/^[+?~-]?a(?:[:/]|$)/i, 'The addresses of this host may send; costs a lookup.'],
  [/^[+?~-]?mx(?:[:/]|$)/i, 'The mail servers of this domain may send; costs a lookup.'],
  [/^[+?~-]?ptr/i, 'By reverse name: slow, and not to be used (RFC 7208, 5.5).'],
  [/^[+?~-]?exists:/i, 'An address may send if this lookup finds something; costs a lookup.'],
  [/^redirect=/i, 'The record of this domain is used in place of this one; costs a lookup.'],
  [/^-all$/i, 'Everybody else may not send.'],
  [/^~all$/i, 'Everybody else probably may not send.'],
  [/^\?all$/i, 'Nothing is said about everybody else.'],
  [/^\+?all$/i, 'Everybody may send: this protects nothing.'],
];

const QUALIFIED: { readonly [qualifier: string]: string } = {
  '-': 'may not send',
  '~': 'probably may not send',
  '?': 'get no answer either way',
};

function spfMeaning(term: string): string | undefined {
  const meaning = spfMeanings.find(([begin]) => begin.test(term))?.[1];
  return /all$/i.test(term) ? meaning : meaning?.replace('may send', QUALIFIED[term.charAt(0)] ?? 'may send');
}

/** A part of a record, and what it means; without a meaning it is unknown. */
export interface RecordPart {
  text: string;
  meaning: string | undefined;
}

/** Divides a record into its parts. A protocol without parts gives the record as a whole. */
export function partsOf(protocol: string, record: string): RecordPart[] {
  if (protocol === 'spf') {
    const terms = record.split(/\s+/).filter(Boolean);
    return terms.map((text) => ({ text, meaning: spfMeaning(text) }));
  }
  const meanings = tagMeanings[protocol];
  if (!meanings) return [{ text: record, meaning: undefined }];
  const tags = record
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean);
  return tags.map((text) => {
    const [name = '', value = ''] = text.split('=').map((part) => part.trim());
    const tag = name.toLowerCase();
    return { text, meaning: (protocol === 'dmarc' && policyMeaning(tag, value)) || meanings[tag] };
  });
}
