import { type Database, type Db, type DeliveryTargetTable, transact } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { AccessError } from '../access/errors.ts';
import { lockName } from '../access/lock-name.ts';

/** A target as the user describes it; `seal` encrypts its secret once the target's id is known. */
export interface NewTarget extends Pick<DeliveryTargetTable, 'kind' | 'address' | 'least_severity'> {
  /** Unset: those that the target has; all for a new one. */
  types?: DeliveryTargetTable['types'];
  seal: (targetId: string) => Buffer | null;
}

interface Limits {
  /** The most targets of the organization with this one. */
  most?: number;
  /** The id of the form that adds it, which may be sent twice. */
  form?: string | undefined;
}

interface AddedTarget {
  id: string;
  /** True if it existed: an earlier secret of it no longer works. */
  wasKnown: boolean;
}

/** The most forms that a target remembers. */
const FORMS = 100;

/**
 * Adds a target. If the organization has one of the same kind and address, that one is updated, gets the new secret,
 * and is enabled again if it was disabled. Concurrent calls come one after another.
 * @throws {AccessError} `too_many`, `form_repeated`
 */
export async function addTarget(
  database: Database,
  orgId: string,
  { seal, ...target }: NewTarget,
  { most = Infinity, form }: Limits = {},
): Promise<AddedTarget> {
  let written: (AddedTarget & { secret: Buffer | null }) | undefined;
  return await transact(database, async ({ db }) => {
    await lockName(db, `delivery_target|${orgId}`);
    const known = await findKnown(db, orgId, target);
    // the commit of the first try was not answered, and it succeeded
    if (written?.secret && known?.secret?.equals(written.secret)) return { id: written.id, wasKnown: written.wasKnown };
    if (form !== undefined && (await wasSent(db, orgId, form)))
      throw new AccessError('form_repeated', 'This was added before and its secret shown. Add it again for another.');
    if (!known && (await countTargets(db, orgId)) >= most)
      throw new AccessError('too_many', `An organization has at most ${most} targets. Remove one first.`);
    const id = known?.id ?? newId();
    const secret = seal(id);
    const forms = [...(form === undefined ? [] : [form]), ...(known?.forms ?? [])].slice(0, FORMS);
    const described = { ...target, secret, forms, enabled: true, disabled_code: null };
    if (known) await update(db, { orgId, id }, described);
    else await insert(db, { orgId, id }, described);
    written = { id, wasKnown: known !== undefined, secret };
    return { id, wasKnown: known !== undefined };
  });
}

async function findKnown(db: Db, orgId: string, { kind, address }: Pick<NewTarget, 'kind' | 'address'>) {
  return await db
    .selectFrom('delivery_target')
    .select(['id', 'secret', 'forms'])
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .where('address', '=', address)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Also of targets that are removed: a form that was answered is not sent for another one. */
async function wasSent(db: Db, orgId: string, form: string): Promise<boolean> {
  const sent = db.selectFrom('delivery_target').select('id').where('org_id', '=', orgId);
  return (await sent.where('forms', '@>', sql<string[]>`array[${form}]::uuid[]`).executeTakeFirst()) !== undefined;
}

async function countTargets(db: Db, orgId: string): Promise<number> {
  const { targets } = await db
    .selectFrom('delivery_target')
    .select((eb) => eb.fn.countAll<number>().as('targets'))
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return targets;
}

type Described = Omit<NewTarget, 'seal'> & { secret: Buffer | null; forms: string[] };

/** It stays as old as it is, and receives what was raised meanwhile. */
async function update(db: Db, { orgId, id }: { orgId: string; id: string }, described: Described): Promise<void> {
  await db
    .updateTable('delivery_target')
    .set({ ...described, added_again_at: sql<Date>`ledger_now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
}

async function insert(db: Db, { orgId, id }: { orgId: string; id: string }, described: Described): Promise<void> {
  await db
    .insertInto('delivery_target')
    .values({ org_id: orgId, id, types: [], ...described, created_at: sql<Date>`ledger_now()` })
    .execute();
}
