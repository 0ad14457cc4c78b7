import { findStandings, type SourceStanding } from '@dmarc-ledger/facts';
import { announceJudgement, holdOffJudgement } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { identifySender, type IdentifiedSender, type MailGroup } from '@dmarc-ledger/sources';
import { present } from '@dmarc-ledger/vocabulary';

/**
 * Has sources judged again whose new mail shows another service than the recorded one. A source whose host name names
 * its operator keeps it, whatever mail passes through it. The mail is stored already: a judgement that begins after
 * this reads it, and one that ended before is compared with it.
 */
export async function noteSenders(
  session: Session,
  orgId: string,
  mail: ReadonlyMap<string, readonly MailGroup[]>,
): Promise<void> {
  await holdOffJudgement(session, orgId, [...mail.keys()]);
  const standings = await findStandings(session.db, orgId, [...mail.keys()]);
  const other = [...standings.values()].filter(
    ({ source_ip, sender }) => !isSame(shownBy(sender), shownByMail(source_ip, present(mail.get(source_ip)))),
  );
  await announceJudgement(
    session,
    orgId,
    other.filter(isKnownByMail).map(({ source_ip }) => source_ip),
  );
}

function isKnownByMail({ sender }: SourceStanding): boolean {
  return sender?.witnesses[0]?.evidence !== 'ptr';
}

interface Shown {
  slug: string;
  evidence: string;
}

/** The senders that mail had shown when the source was judged. */
function shownBy(sender: IdentifiedSender | null): Shown | undefined {
  const best = sender?.witnesses[0];
  return best?.evidence === 'dkim' || best?.evidence === 'spf' ? best : undefined;
}

function shownByMail(ip: string, mail: readonly MailGroup[]): Shown | undefined {
  return shownBy(identifySender({ ip, mail }) ?? null);
}

function isSame(one: Shown | undefined, other: Shown | undefined): boolean {
  return one?.slug === other?.slug && one?.evidence === other?.evidence;
}
