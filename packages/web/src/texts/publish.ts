import { addTlsReportAddress, isOurs, readTlsReportUris } from '@dmarc-ledger/dns-records';
import type { Protocol } from '@dmarc-ledger/vocabulary';
import { dmarcToPublish } from './publish-dmarc.ts';
import { reportsTo, txt, withAddress, type Present, type ToPublish } from './to-publish.ts';

/**
 * What to publish for a protocol where nothing useful is published; nothing where a record stands, or may stand: two
 * records at a name are an error. A name that is an alias is marked. (rules, domain-checks/record-to-publish)
 */
export function recordToPublish(protocol: Protocol, present: Present): ToPublish[] {
  const records = present.isKnown ? (toPublish[protocol]?.(present) ?? []) : [];
  return records.map((record) => {
    const aliasOf = present.aliases?.get(record.name);
    return aliasOf === undefined ? record : { ...record, aliasOf };
  });
}

/** Protocols that are not here ask for no record that is the same for everybody. */
const toPublish: { readonly [protocol in Protocol]?: (present: Present) => ToPublish[] } = {
  dmarc: dmarcToPublish,
  spf: ifAbsent(({ domain }) => [
    txt('If this domain sends no mail:', domain, 'v=spf1 -all'),
    txt('If it sends mail from its own mail servers alone:', domain, 'v=spf1 mx -all'),
  ]),
  mta_sts: ifAbsent(mtaSts),
  tls_rpt: tlsRpt,
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

/** A record that stands and reports elsewhere gets the missing report address. */
function tlsRpt({ domain, records, addresses }: Present): ToPublish[] {
  const name = `_smtp._tls.${domain}`;
  const to = reportsTo(domain, addresses);
  const [record] = records;
  if (record === undefined) {
    const what = withAddress('To see which servers cannot reach you encrypted', to);
    return [txt(what, name, `v=TLSRPTv1; rua=mailto:${to.address}`)];
  }
  const uris = readTlsReportUris(records);
  if (!uris || to.isPlaceholder || isOurs(uris, addresses)) return [];
  return [txt('To have the reports sent here as well:', name, addTlsReportAddress(record, to.address))];
}
