import { findOrganization, findOwner, listOrganizations } from '@dmarc-ledger/ledger';
import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';
import { print, printJson, type Row } from './print.ts';
import type { Work } from './with-installation.ts';

export type Organization = Awaited<ReturnType<typeof listOrganizations>>[number];

/** A row with its organization. */
export interface Listed<Found> {
  found: Found;
  organization: Organization;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds an organization by its id, in either form, or by its name. @throws {CliError} not_found */
async function organizationOf({ installation }: Work, given: string): Promise<Organization> {
  const id = parseId(given) ?? (UUID.test(given) ? given.toLowerCase() : undefined);
  const { db } = installation.database;
  const found = (id && (await findOrganization(db, { id }))) || (await findOrganization(db, { name: given }));
  if (!found) throw new CliError('not_found', `There is no organization ${given}; see: dmarc-ledger org list`);
  return found;
}

/** Returns the id of that organization. */
export async function orgIdOf(work: Work, given: string): Promise<string> {
  return (await organizationOf(work, given)).id;
}

/** Returns the organization that `--org` names, or all of them by name. */
export async function organizationsOf(work: Work, given: string | undefined): Promise<Organization[]> {
  if (given !== undefined) return [await organizationOf(work, given)];
  return await listOrganizations(work.installation.database.db);
}

/**
 * Returns the organization that `--org` names, or all that are not being removed: a job deletes the data of those, a
 * portion at a time.
 */
export async function keptOrganizationsOf(work: Work, given: string | undefined): Promise<Organization[]> {
  const found = await organizationsOf(work, given);
  return given === undefined ? found.filter(({ removed_at }) => removed_at === null) : found;
}

/**
 * Lists the rows of these organizations. With an order, the first `limit` rows of all by that order; no more than twice
 * as many are in memory.
 */
export async function listAcross<Found>(
  organizations: readonly Organization[],
  find: (orgId: string) => Promise<Found[]>,
  order?: { compare: (a: Found, b: Found) => number; limit: number },
): Promise<Listed<Found>[]> {
  let listed: Listed<Found>[] = [];
  for (const organization of organizations) {
    for (const found of await find(organization.id)) listed.push({ found, organization });
    if (order && organizations.length > 1)
      listed = listed.toSorted((a, b) => order.compare(a.found, b.found)).slice(0, order.limit);
  }
  return listed;
}

/**
 * Prints a list. Each JSON row has its organization's id as `org`; a table names it in the first column, unless the
 * user has named it.
 */
export function printListed<Found>(
  listed: readonly Listed<Found>[],
  { json, org }: { json?: boolean; org?: string },
  toRow: (found: Found) => Row,
  toJson: (found: Found) => object = toRow,
): void {
  if (json) return printJson(listed.map(({ found, organization: { id } }) => ({ org: idText(id), ...toJson(found) })));
  const nameOf = ({ name }: Organization) => (org === undefined ? { org: name } : {});
  print(
    listed.map(({ found, organization }) => ({ ...nameOf(organization), ...toRow(found) })),
    {},
  );
}

/**
 * Returns the key of a row by its id; with an organization, only if the row belongs to it. Undefined if there is none.
 * @throws {CliError} not_found when there is no such organization
 */
export async function keyOf(
  work: Work,
  table: Parameters<typeof findOwner>[1],
  id: string,
  org: string | undefined,
): Promise<{ orgId: string; id: string } | undefined> {
  const within = org === undefined ? undefined : await orgIdOf(work, org);
  const orgId = await findOwner(work.installation.database.db, table, id);
  return orgId && (within ?? orgId) === orgId ? { orgId, id } : undefined;
}

/** Adds the organization to rows that contain its id. */
export function withOrganization<Found extends { org_id: string }>(
  organizations: readonly Organization[],
  all: readonly Found[],
): Listed<Found>[] {
  const byId = new Map(organizations.map((organization) => [organization.id, organization]));
  return all.flatMap((found) => {
    const organization = byId.get(found.org_id);
    return organization ? [{ found, organization }] : [];
  });
}
