import type { Ask } from '../ask.ts';
import { isOurs, readReportUris, type ReportUri } from '../records/report-address.ts';
import { candidatesOf, readTagList } from '../records/tag-list.ts';
import type { DmarcWalk } from '../records/tree-walk.ts';
import type { CheckContext, DmarcFacts } from './check.ts';
import { unauthorizedNote, type UnauthorizedHost } from './unauthorized-note.ts';

/** What a host says about reports that are about another organization's domain. */
interface Permission extends UnauthorizedHost {
  said: readonly string[];
}

/** So many hosts are asked about, ours before those named first: the owner of a record chooses them. */
const ASKED_HOSTS = 10;

/**
 * Notes the hosts of other organizations that do not accept reports about the domain: reporters must not send any
 * there; and where the permission of our host names another address. The first holds for failure reports too. The facts
 * name our host's missing record if no aggregate report may be sent to us. (RFC 9990, 4; RFC 9991, 5; rules,
 * domain-checks/reporting-to-another-organization)
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
      const said = answer.kind === 'found' ? candidatesOf(answer.values, 'DMARC1') : [];
      return { host, record: name, said, isMissing: said.length === 0 && answer.kind !== 'unconfirmed' };
    }),
  );
  const unauthorized = answers.filter(({ isMissing }) => isMissing);
  const receiving = hostsOf(areOurs(record.rua));
  const redirected = answers
    .filter(({ host }) => receiving.includes(host))
    .flatMap((each) => redirectedNote(each, ours));
  const waiting = receiving.map((host) => unauthorized.find((each) => each.host === host));
  const first = waiting.every((each) => each !== undefined) ? waiting[0] : undefined;
  const notes = [...unauthorized.map(unauthorizedNote), ...redirected];
  return { notes, ...(first && { facts: { permissionMissing: first.record } }) };
}

/** An address in a permission takes the place of that in the record, and has to be at the same host. (RFC 9990, 4) */
function redirectedNote({ host, record, said }: Permission, ours: readonly string[]): string[] {
  const given = said.map((text) => readReportUris(readTagList(text).tags.get('rua')));
  const uris = given.flat().filter(({ address }) => address !== null);
  const isKept = given.length !== 1 || uris.length === 0 || isOurs(uris, ours);
  if (isKept) return [];
  const there = uris.filter((uri) => hostsOf([uri]).includes(host)).map(({ text }) => text);
  return there.length > 0
    ? [`reporters send to ${there.join(', ')} in place of your address, as the record at ${record} says`]
    : [`reporters send nothing to ${host}, as the record at ${record} names an address at another host`];
}

/** The hosts of the addresses, each once. */
function hostsOf(uris: readonly ReportUri[]): string[] {
  const addresses = uris.flatMap(({ address }) => address ?? []);
  return [...new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))];
}
