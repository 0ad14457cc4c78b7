import { goneSince, readKeptEvidence } from '@dmarc-ledger/dns-records';
import { findEvidence, findHandedOver, pairName } from '@dmarc-ledger/facts';
import type { JudgedMail } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';

/**
 * Leaves out the keys that another one took over from before they were removed: the mail that was signed with them is
 * no mail in need of them. (rules, events/dkim-key-faults)
 * @param signed messages of the last 7 days, by `signer/selector`
 */
export async function withoutHandedOver(
  db: Db,
  mail: JudgedMail & { today: Day },
  signed: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const { dkim_keys: kept } = readKeptEvidence(await findEvidence(db, mail.orgId, mail.domainId, ['dkim_keys']));
  const carried = (kept?.body ?? []).flatMap((key) =>
    signed.has(pairName(key)) ? [{ ...key, goneSince: goneSince(key) }] : [],
  );
  const handedOver = await findHandedOver(db, mail, carried);
  return new Map([...signed].filter(([pair]) => !handedOver.has(pair)));
}
