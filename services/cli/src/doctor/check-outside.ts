import { isSettled } from '@dmarc-ledger/lookups';
import type { OpenLookups } from '@dmarc-ledger/worker-service';
import { error, ok, reasonOf, warning, type Finding } from './finding.ts';

const OLD_DAYS = 120;
const DAY_MS = 86_400_000;

/** Queries the resolvers for the name servers of com. */
export async function checkDns({ dns }: OpenLookups, { isValidating }: { isValidating: boolean }): Promise<Finding> {
  const fact = await dns.ask('com', 'NS', { fresh: true });
  if (!isSettled(fact)) {
    const mend =
      'Check DNS_SERVERS, and that UDP and TCP port 53 are open. Without DNS, facts about addresses and domains stay ' +
      'unknown; all else works.';
    return warning('DNS', `The resolvers do not answer (${fact.outcome}).`, mend);
  }
  if (fact.outcome !== 'answer')
    return error(
      'DNS',
      'The resolvers answer that com does not exist.',
      'Set DNS_SERVERS to resolvers that know the DNS of the Internet. With these, records of domains count as missing.',
    );
  if (isValidating && !fact.authenticated)
    return error(
      'DNS',
      'DNS_VALIDATING is on, but the resolver does not validate.',
      'Use a resolver that does, or set DNS_VALIDATING to off.',
    );
  return ok('DNS', isValidating ? 'The resolvers answer and validate.' : 'The resolvers answer.');
}

export async function checkGeo({ geo }: OpenLookups): Promise<Finding> {
  try {
    await geo.open();
  } catch (cause) {
    return error('geo data', reasonOf(cause), 'Check GEOIP_CITY_DB and GEOIP_ASN_DB.');
  }
  const built = geo.sources.flatMap(({ kind, builtAt }) => (kind !== 'network' && builtAt ? [builtAt.getTime()] : []));
  const day = built.length > 0 ? new Date(Math.min(...built)).toISOString().slice(0, 10) : 'an unknown day';
  const isOld = built.some((at) => Date.now() - at > OLD_DAYS * DAY_MS);
  const says = `Built on ${day}.`;
  return isOld
    ? warning('geo data', says, 'Update DMARC Ledger, or name newer files in GEOIP_CITY_DB.')
    : ok('geo data', says);
}
