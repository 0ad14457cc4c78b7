import type { Ask } from '../ask.ts';
import { isOurs, type ReportUri } from '../records/report-address.ts';
import { candidatesOf } from '../records/tag-list.ts';
import type { DmarcWalk } from '../records/tree-walk.ts';
import type { CheckContext, DmarcFacts } from './check.ts';
import { unauthorizedNote } from './unauthorized-note.ts';

/** So many hosts are asked about, ours before those named first: the owner of a record chooses them. */
const ASKED_HOSTS = 10;

/**
 * Notes the hosts of other organizations that do not accept reports about the domain: reporters must not send any
 * there. The same holds for failure reports. The facts name our host's missing record if no aggregate report may be
 * sent to us. (RFC 9990, 4; RFC 9991, 5; rules, domain-checks/reporting-to-another-organization)
 */
export async function findUnauthorized(
  ask: Ask,
  { record, at }: NonNullable<DmarcWalk['applied']>,
  { domain, organizationalDomain, ours }: CheckContext,
): Promise<{ notes: string[]; facts?: DmarcFacts }> {
  const isIgnored = record.psd === 'y' && at !== domain; // of a public suffix (RFC 9991, 2)
  const uris = [...record.rua, ...(isIgnored ? [] : record.ruf)];
  const areOurs = (some: typeof uris) => some.filter((uri) => isOurs([uri], ours));
  const others = hostsOf([...areOurs(uris), ...uris]).filter(
    (host) => host !== organizationalDomain && !host.endsWith(`.${organizationalDomain}`),
  );
  const answers = await Promise.all(
    others.slice(0, ASKED_HOSTS).map(async (host) => {
      const name = `${at}._report._dmarc.${host}`;
      const answer = await ask.text(name);
      const isSaid = answer.kind === 'found' && candidatesOf(answer.values, 'DMARC1').length > 0;
      return { host, record: name, isMissing: !isSaid && answer.kind !== 'unconfirmed' };
    }),
  );
  const unauthorized = answers.filter(({ isMissing }) => isMissing);
  const waiting = hostsOf(areOurs(record.rua)).map((host) => unauthorized.find((each) => each.host === host));
  const first = waiting.every((each) => each !== undefined) ? waiting[0] : undefined;
  return { notes: unauthorized.map(unauthorizedNote), ...(first && { facts: { permissionMissing: first.record } }) };
}

/** The hosts of the addresses, each once. */
function hostsOf(uris: readonly ReportUri[]): string[] {
  const addresses = uris.flatMap(({ address }) => address ?? []);
  return [...new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))];
}
