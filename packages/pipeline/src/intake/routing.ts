import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import { readDomainName } from '@dmarc-ledger/vocabulary';

/** An organization that a report may belong to: by an address of its own, or by a domain that it monitors. */
export interface Claim {
  orgId: string;
  /** Null: the mail was sent to the organization. */
  domain: string | null;
}

/** What each organization takes: the policy domains, or null for the whole delivery. */
export type Targets = Map<string, string[] | null>;

/** A name and its parents up to the organizational domain, which an organization may own. None for an invalid name. */
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
 * Decides which organizations the reports of a delivery belong to: all of it to the organizations that it was sent to;
 * otherwise each report, by the domains that it is about, to every organization that monitors each of them or a parent
 * domain. (rules, organizations/owner-of-a-report)
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
