import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import { readDomainName } from '@dmarc-ledger/vocabulary';

/** An organization that reports may be for: by an address of its own, or by a domain that it monitors. */
export interface Claim {
  orgId: string;
  /** Null: the mail was sent to the organization. */
  domain: string | null;
}

/** What each organization takes: the policy domains, or null for the whole delivery. */
export type Targets = Map<string, string[] | null>;

/** A name and those above it that somebody may own: up to its organizational domain. What is no name is nobody's. */
export function ownedNames(domain: string, organizationalDomain: OrganizationalDomain): string[] {
  if (readDomainName(domain) === undefined) return [];
  const top = organizationalDomain(domain);
  const names = [domain];
  for (let name = domain; name !== top && name.includes('.');) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}

/**
 * To whom the reports of a delivery belong: all of it to those whom it was sent to; else each report, by the domains
 * that it is about, to whoever monitors every one of them, or a domain above it.
 * (rules, organizations/owner-of-a-report)
 */
export function chooseTargets(
  claims: readonly Claim[],
  reports: readonly (readonly string[])[],
  organizationalDomain: OrganizationalDomain,
): Targets {
  const addressed = claims.filter(({ domain }) => domain === null);
  if (addressed.length > 0) return new Map(addressed.map(({ orgId }) => [orgId, null]));
  const targets: Targets = new Map();
  for (const [orgId, monitored] of Map.groupBy(claims, (claim) => claim.orgId)) {
    const names = new Set(monitored.map(({ domain }) => domain));
    const isOwned = (domain: string) => ownedNames(domain, organizationalDomain).some((name) => names.has(name));
    const taken = reports.filter((domains) => domains.length > 0 && domains.every(isOwned)).flat();
    if (taken.length > 0) targets.set(orgId, [...new Set(taken)].toSorted());
  }
  return targets;
}
