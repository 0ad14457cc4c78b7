import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { permissionRecords, reportsTo } from '@dmarc-ledger/enforcement';
import { type Day, type Protocol, trimAsciiSpace } from '@dmarc-ledger/vocabulary';

/** A record to put into the DNS, or a file to put on a web server. */
export interface ToPublish {
  what: string;
  name: string;
  type: string;
  value: string;
}

interface Present {
  domain: string;
  /** False before the first check, and while the name servers do not answer: a record may stand that is not seen. */
  isKnown: boolean;
  /** What is published now. */
  records: readonly string[];
  /** What the last check noted. */
  notes: readonly string[];
  /** The domain above whose record applies. */
  inheritedFrom?: string | null | undefined;
  /** The hosts of its MX records as the last check saw them; absent where it saw no answer. */
  mailServers?: readonly string[] | undefined;
  /** The organization's own report addresses. */
  addresses: readonly string[];
  today: Day;
}

const organizationalDomain = publicSuffixDomains();
const PLACEHOLDER = 'reports@example.com';
/** Said of a record with the placeholder: published as it stands, reports would go to somebody else. */
const PUT_YOURS = `in place of ${PLACEHOLDER}, put the address where your reports are to arrive`;

export const publishWords = {
  permission: (host: string) =>
    `At ${host}, without which reporters send nothing there; *._report._dmarc.${host} accepts every domain at once:`,
} as const;

/**
 * What to publish for a protocol where nothing useful is published; nothing where a record stands, or may stand: two
 * records at a name are an error.
 */
export function recordToPublish(protocol: Protocol, present: Present): ToPublish[] {
  return present.isKnown ? (toPublish[protocol]?.(present) ?? []) : [];
}

/** Protocols that are not here ask for no record that is the same for everybody. */
const toPublish: { readonly [protocol in Protocol]?: (present: Present) => ToPublish[] } = {
  dmarc: (present) => [...dmarc(present), ...permission(present)],
  spf: ifAbsent(({ domain }) => [
    txt('If this domain sends no mail:', domain, 'v=spf1 -all'),
    txt('If it sends mail from its own mail servers alone:', domain, 'v=spf1 mx -all'),
  ]),
  mta_sts: ifAbsent(mtaSts),
  tls_rpt: ifAbsent(({ domain, addresses }) => [
    txt(
      withAddress('To see which servers cannot reach you encrypted', addresses),
      `_smtp._tls.${domain}`,
      `v=TLSRPTv1; rua=mailto:${addressOf(addresses)}`,
    ),
  ]),
  bimi: ifAbsent(({ domain }) => [
    txt(
      'When the policy is quarantine or reject; with the address of your own logo:',
      `default._bimi.${domain}`,
      `v=BIMI1; l=https://${domain}/logo.svg`,
    ),
  ]),
};

/**
 * A policy that names the servers of the MX records: mail to others is refused once it is enforced. Nothing for a
 * domain that receives no mail. (RFC 8461, 4.1; RFC 7505; rules, domain-checks/record-to-publish)
 */
function mtaSts({ domain, mailServers, today }: Present): ToPublish[] {
  if (mailServers?.length === 0) return [];
  const hosts = mailServers ?? [`mail.${domain}`];
  const naming = mailServers ? 'it names the mail servers of your MX records' : 'name your own mail servers';
  return [
    txt('After the policy below can be fetched:', `_mta-sts.${domain}`, `v=STSv1; id=${today.replaceAll('-', '')}`),
    {
      what: `A file on a web server with a valid certificate; ${naming}:`,
      name: `https://mta-sts.${domain}/.well-known/mta-sts.txt`,
      type: 'file',
      value: ['version: STSv1', 'mode: testing', ...hosts.map((host) => `mx: ${host}`), 'max_age: 604800'].join('\n'),
    },
  ];
}

function ifAbsent(publish: (present: Present) => ToPublish[]): (present: Present) => ToPublish[] {
  return (present) => (present.records.length > 0 ? [] : publish(present));
}

/**
 * A record that stands keeps its policy, and gets the missing report address where it stands: a copy of an inherited
 * one at the domain's own name would apply its `p` there, in place of its `sp`. (RFC 9990, 4; RFC 9989, 4.10.1; rules,
 * domain-checks/record-to-publish)
 */
function dmarc({ domain, records, inheritedFrom, addresses }: Present): ToPublish[] {
  const [record] = records;
  const name = `_dmarc.${inheritedFrom ?? domain}`;
  if (record === undefined)
    return [
      txt(
        withAddress('To receive reports, without any effect on mail', addresses),
        name,
        `v=DMARC1; p=none; rua=mailto:${addressOf(addresses)}`,
      ),
    ];
  const [to] = addresses;
  if (records.length > 1 || to === undefined) return [];
  if (addresses.some((own) => isNamed(records, own)) || /;\s*psd\s*=\s*y\b/i.test(record)) return [];
  const changed = /\brua\s*=/i.test(record)
    ? record.replace(
        /\brua\s*=\s*([^;]*)/i,
        (_, list: string) => `rua=${[list.trim(), `mailto:${to}`].filter(Boolean).join(',')}`,
      )
    : `${trimAsciiSpace(record).replace(/;$/, '')}; rua=mailto:${to}`;
  return [
    txt(`To have the reports sent here as well${inheritedFrom ? ', where the record stands' : ''}:`, name, changed),
  ];
}

/**
 * The record by which the domain of the report address accepts reports about another organization's domain; nothing
 * where both are one organization's, or where the published record reports to that address with its permission. (RFC
 * 9990, 4; rules, domain-checks/reporting-to-another-organization)
 */
function permission({ domain, records, addresses, notes, inheritedFrom }: Present): ToPublish[] {
  const used = addresses.find((own) => isNamed(records, own));
  return permissionRecords(
    inheritedFrom ?? domain,
    [used ?? addresses[0]].flatMap((address) => address ?? []),
    organizationalDomain,
  )
    .filter(({ name }) => used === undefined || notes.some((note) => note.includes(name)))
    .map(({ host, name, value }) => txt(publishWords.permission(host), name, value));
}

function withAddress(what: string, addresses: readonly string[]): string {
  return addresses.length > 0 ? `${what}:` : `${what}; ${PUT_YOURS}:`;
}

function addressOf(addresses: readonly string[]): string {
  return addresses[0] ?? PLACEHOLDER;
}

function isNamed(records: readonly string[], address: string): boolean {
  return records.some((record) => reportsTo(record, address));
}

function txt(what: string, name: string, value: string): ToPublish {
  return { what, name, type: 'TXT', value };
}
