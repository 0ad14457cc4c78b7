import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { waitFor } from './awaited-addresses.ts';
import { markFailing, refresh } from './look-up-sooner.ts';
import { announceJudgement } from './unjudged-sources.ts';

/** An address in the reports of an organization. */
export interface NamedSource {
  address: string;
  /** True if some of its mail failed DMARC: it is looked up before addresses whose mail passes. */
  isFailing: boolean;
  /** True if it is not public, so that its mail alone says what it is. */
  isNeverLookedUp?: boolean;
}

export interface Noting {
  /**
   * False while this installation looks nothing up about addresses: a queue that nothing reads would only grow. The
   * planner queues them once lookups are switched on. Default: true.
   */
  areLookedUp?: boolean | undefined;
}

/**
 * Records that an organization has seen addresses. A new address is queued for lookup; for a known one the
 * organization's mail is judged by the known facts. Recording it again changes nothing.
 */
export async function noteSources(
  session: Session,
  orgId: string,
  sources: readonly NamedSource[],
  { areLookedUp = true }: Noting = {},
): Promise<void> {
  if (sources.length === 0) return;
  const failing = addressesOf(sources.filter(({ isFailing }) => isFailing));
  const { fresh, newToOrg } = await enter(session, orgId, sources, areLookedUp);
  const known = sources.filter(({ address }) => !fresh.has(address));
  await markFailing(session, addressesOf(known.filter(({ isFailing }) => isFailing)));
  await refresh(session, orgId, addressesOf(known));
  const states = [
    ...newToOrg.filter((address) => fresh.has(address)).map((address) => ({ address, ...nothingKnown(areLookedUp) })),
    ...(await holdStates(
      session,
      newToOrg.filter((address) => !fresh.has(address)),
    )),
  ];
  const unknowable = new Set(addressesOf(sources.filter((source) => source.isNeverLookedUp)));
  await announceJudgement(
    session,
    orgId,
    addressesOf(states.filter(({ version, address }) => version > 0 || unknowable.has(address))),
  );
  if (areLookedUp)
    await waitFor(session, orgId, { waiting: addressesOf(states.filter(({ in_line }) => in_line)), failing });
}

/** How far the lookup of an address is. */
interface LookupState {
  address: string;
  /** Zero until the first facts are known. */
  version: number;
  in_line: boolean;
}

/** Enters addresses that no organization had (`fresh`), and those that are new to this one (`newToOrg`). */
async function enter({ db }: Session, orgId: string, sources: readonly NamedSource[], areLookedUp: boolean) {
  const { rows } = await sql<{ address: string; is_fresh: boolean }>`
    with named as (
      select * from unnest(${addressesOf(sources)}::inet[], ${sources.map(({ isFailing }) => isFailing)}::boolean[])
        as s (address, is_failing)
    ), fresh as (
      insert into ip_enrichment (address, is_failing, priority, in_line, due_at)
      select address, is_failing, case when is_failing then 0 else 1 end, ${areLookedUp}::boolean,
        case when ${areLookedUp}::boolean then now() + interval '1 day' else now() end
      from named order by address
      on conflict do nothing returning address
    ), new_to_org as (
      insert into ip_interest (address, org_id) select address, ${orgId} from named order by address
      on conflict do nothing returning address
    )
    select address, true as is_fresh from fresh union all select address, false from new_to_org`.execute(db);
  const of = (isFresh: boolean) => addressesOf(rows.filter(({ is_fresh }) => is_fresh === isFresh));
  return { fresh: new Set(of(true)), newToOrg: of(false) };
}

/** Of an address that this transaction has entered: no other can see its row, so that there is nothing to lock. */
function nothingKnown(areLookedUp: boolean): Omit<LookupState, 'address'> {
  return { version: 0, in_line: areLookedUp };
}

/**
 * Reads how far the lookup of addresses is that are new to an organization. A transaction that changes a fact reads the
 * interested organizations after it has locked the row: whatever this statement saw when it began, one of the two sees
 * the other.
 */
async function holdStates({ db }: Session, addresses: readonly string[]): Promise<LookupState[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<LookupState>`
    select address, version, in_line from ip_enrichment where address = any(${addresses}::inet[])
    order by address for share`.execute(db);
  return rows;
}

function addressesOf(rows: readonly { address: string }[]): string[] {
  return rows.map(({ address }) => address);
}
