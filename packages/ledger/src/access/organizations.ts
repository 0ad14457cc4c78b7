import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { comparableAddress, errorCode, newId } from '@dmarc-ledger/vocabulary';
import { hastenAllChecks } from '../domains/hasten-checks.ts';
import { announceAccessChange } from './announce.ts';
import { AccessError } from './errors.ts';

const columns = [
  'id',
  'name',
  'plan',
  'report_addresses',
  'unauthenticated',
  'created_at',
  'suspended_at',
  'removed_at',
] as const;

const UNIQUE_VIOLATION = '23505';

export interface NewOrganization {
  name: string;
  plan?: string;
  /** Addresses that a DMARC record must name to report to this organization. */
  reportAddresses?: string[];
}

export interface OrganizationChange extends Partial<NewOrganization> {
  suspended?: boolean;
  /** Whether unauthenticated reports are counted, or held. What is stored follows by a replay. */
  unauthenticated?: 'count' | 'hold';
}

export async function createOrganization(db: Db, { name, plan = 'standard', reportAddresses = [] }: NewOrganization) {
  await requirePlan(db, plan);
  const created = await db
    .insertInto('organization')
    .values({ id: newId(), name, plan, report_addresses: reportAddresses.map(comparableAddress) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (!created) throw exists(name);
  return created;
}

function exists(name: string): AccessError {
  return new AccessError('organization_exists', `An organization named ${name} already exists.`);
}

export async function listOrganizations(db: Db) {
  return await db.selectFrom('organization').select(columns).orderBy('name').execute();
}

/** Finds an organization by its id or its name. */
export async function findOrganization(db: Db, { id, name }: { id?: string; name?: string }) {
  const found = db.selectFrom('organization').select(columns);
  if (id !== undefined) return await found.where('id', '=', id).executeTakeFirst();
  return await found.where('name', '=', name ?? '').executeTakeFirst();
}

/** Changes the given fields and leaves the others. */
export async function setOrganization(database: Database, id: string, change: OrganizationChange) {
  if (change.plan !== undefined) await requirePlan(database.db, change.plan);
  return await transact(database, async (session) => {
    const { db } = session;
    const held = db.selectFrom('organization').select(['report_addresses', 'removed_at']).where('id', '=', id);
    const before = await held.forNoKeyUpdate().executeTakeFirst();
    if (before?.removed_at) throw new AccessError('organization_unknown', 'This organization is being removed.');
    const changed = await db
      .updateTable('organization')
      .set({
        id,
        name: change.name,
        plan: change.plan,
        report_addresses: change.reportAddresses?.map(comparableAddress),
        unauthenticated: change.unauthenticated,
        ...suspension(change),
      })
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (errorCode(error) === UNIQUE_VIOLATION && change.name !== undefined) throw exists(change.name);
        throw error;
      });
    if (!changed) throw new AccessError('organization_unknown', 'There is no such organization.');
    const areOthers = changed.report_addresses.join() !== before?.report_addresses.join();
    if (areOthers) await hastenAllChecks(session, id); // they say which records are ours
    await announceAccessChange(db);
    return changed;
  });
}

function suspension({ suspended }: OrganizationChange): { suspended_at?: Date | null } {
  return suspended === undefined ? { suspended_at: undefined } : { suspended_at: suspended ? new Date() : null };
}

async function requirePlan(db: Db, code: string): Promise<void> {
  const plan = await db.selectFrom('plan').select('code').where('code', '=', code).executeTakeFirst();
  if (!plan) throw new AccessError('plan_unknown', `There is no plan ${code}.`);
}
