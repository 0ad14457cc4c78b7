import {
  addReportAddress,
  isBroken,
  isOurs,
  policyFor,
  readDmarcRecord,
  readTagList,
  readUnauthorizedNote,
  type DmarcRecord,
} from '@dmarc-ledger/dns-records';
import { isOfPublicSuffix, permissionRecords } from '@dmarc-ledger/enforcement';
import { organizationalDomain, reportsTo, txt, withAddress, type Present, type ToPublish } from './to-publish.ts';

type Stands = Pick<Present, 'domain' | 'records' | 'notes' | 'inheritedFrom' | 'addresses'>;

export const publishWords = {
  permission: (host: string) =>
    `At ${host}, without which reporters send nothing there; *._report._dmarc.${host} accepts every domain at once:`,
  correct: ({ name, reason, isIgnored }: { name: string; reason: string; isIgnored: boolean }) =>
    `Correct the record at ${name} first: ${reason}, so that receivers ` +
    `${isIgnored ? 'ignore the record' : 'take it for p=none'}. A policy is none, quarantine or reject.`,
} as const;

/**
 * A record that stands keeps its policy, and gets the missing report address where it stands: a copy of an inherited
 * one at the domain's own name would apply its `p` there, in place of its `sp`. A record that has to be corrected first
 * gets none. (RFC 9990, 4; RFC 9989, 4.10.1; rules, domain-checks/record-to-publish)
 */
export function dmarcToPublish(stands: Stands): ToPublish[] {
  const { domain, records, inheritedFrom, addresses } = stands;
  const at = inheritedFrom ?? domain;
  const name = `_dmarc.${at}`;
  const to = reportsTo(at, addresses);
  const [text] = records;
  if (text === undefined) {
    const what = withAddress('To receive reports, without any effect on mail', to);
    return [txt(what, name, `v=DMARC1; p=none; rua=mailto:${to.address}`), ...permissions(stands, [to.address])];
  }
  const record = records.length === 1 ? readDmarcRecord(text) : undefined;
  if (!record || isBroken(record)) return [];
  const used = addresses.find((own) => isOurs(record.rua, [own]));
  if (used !== undefined) return permissions(stands, [used]).filter(isNoted(stands));
  if (isOfPublicSuffix(inheritedFrom, organizationalDomain(domain))) return ownToPublish(stands, text, { record, at });
  if (to.isPlaceholder || record.fault !== undefined || record.psd === 'y') return [];
  const what = `To have the reports sent here as well${inheritedFrom ? ', where the record stands' : ''}:`;
  return [txt(what, name, addReportAddress(text, to.address)), ...permissions(stands, [to.address])];
}

/**
 * A record of a public suffix belongs to others: beside it the organizational domain gets one of its own, which keeps
 * what applies now.
 */
function ownToPublish(stands: Stands, text: string, applied: { record: DmarcRecord; at: string }): ToPublish[] {
  const at = organizationalDomain(stands.domain);
  const to = reportsTo(at, stands.addresses);
  const { np, t, pct } = applied.record;
  const tags = [
    `p=${policyFor(at, applied)}`,
    ...(np ? [`np=${np}`] : []),
    ...(t ? ['t=y'] : []),
    ...(pct < 100 ? [`pct=${pct}`] : []),
    ...['adkim', 'aspf'].flatMap((tag) => (/^s$/i.test(readTagList(text).tags.get(tag) ?? '') ? [`${tag}=s`] : [])),
  ];
  const what = `To receive reports, with the policy that applies now from ${applied.at}, a public suffix`;
  const own = txt(withAddress(what, to), `_dmarc.${at}`, ['v=DMARC1', ...tags, `rua=mailto:${to.address}`].join('; '));
  return [own, ...permissions({ ...stands, inheritedFrom: at }, [to.address])];
}

/** What to correct in the record before anything is added to it; undefined where nothing is. (RFC 9989, 4.7) */
export function dmarcToCorrect({ domain, records, inheritedFrom }: Omit<Stands, 'addresses' | 'notes'>) {
  const [text, ...more] = records;
  const isOfSuffix = isOfPublicSuffix(inheritedFrom, organizationalDomain(domain));
  if (text === undefined || more.length > 0 || isOfSuffix) return undefined;
  const record = readDmarcRecord(text);
  const reason = isBroken(record) ? record.reason : record.fault;
  const name = `_dmarc.${inheritedFrom ?? domain}`;
  return reason === undefined ? undefined : publishWords.correct({ name, reason, isIgnored: isBroken(record) });
}

/**
 * The record by which the domain of the report address accepts reports about another organization's domain; nothing
 * where both are one organization's. (RFC 9990, 4; rules, domain-checks/reporting-to-another-organization)
 */
function permissions({ domain, inheritedFrom, addresses }: Stands, named: readonly string[]): ToPublish[] {
  const own = named.filter((address) => addresses.includes(address)); // the placeholder needs none
  return permissionRecords(inheritedFrom ?? domain, own, organizationalDomain).map(({ host, name, value }) =>
    txt(publishWords.permission(host), name, value),
  );
}

/** Where the record reports to the address already, the check has noted what is missing. */
function isNoted({ notes }: Stands): (record: ToPublish) => boolean {
  return ({ name }) => notes.some((note) => readUnauthorizedNote(note)?.record.toLowerCase() === name);
}
