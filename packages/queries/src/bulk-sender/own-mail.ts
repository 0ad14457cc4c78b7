import { senderKey, sourceClassOf, type SourceSums, relayingOf } from '@dmarc-ledger/facts';
import { suggestDecision } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import type { Day, SenderDecision } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The mail of a domain's own senders in a window, without that which was likely forwarded. */
export interface OwnMail {
  mail: { messages: number; passed: number; spf: number; dkim: number };
  /** Addresses by what reverse DNS says of them; those of what may only relay are left out. */
  pointers: { confirmed: number; wrong: number; missing: number; unknown: number };
}

type Sender = Pick<
  SourceSums,
  'messages' | 'compliant' | 'spf_pass' | 'dkim_pass' | 'forwarded' | 'suspicious' | 'needs_review'
> &
  OwnMail['pointers'] & { slug: string | null; decision: SenderDecision | null };

/**
 * Sums the mail of senders that were decided to be ours, and of undecided ones whose mail has passed and that look like
 * neither forwarder nor stranger. Addresses are looked up one by one, as those of all organizations are in one table.
 * (rules, bulk-sender-rules/own-mail)
 */
export async function findOwnMail(
  db: Db,
  { orgId, domainId, from, to }: { orgId: string; domainId: string; from: Day; to: Day },
): Promise<OwnMail> {
  const { rows } = await sql<Sender>`
    with addresses as (
      select source_ip, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
        sum(spf_pass)::bigint as spf_pass, sum(dkim_pass)::bigint as dkim_pass, sum(forwarded)::bigint as forwarded,
        sum(suspicious)::bigint as suspicious, sum(needs_review)::bigint as needs_review
      from source_domain_day
      where org_id = ${orgId} and domain_id = ${domainId} and day between ${from}::date and ${to}::date
        group by source_ip
    ), senders as (
      select a.*, t.service_slug as slug, ${senderKey(sql`t.service_slug`, sql`a.source_ip`)} collate "C" as sender
      from addresses a left join source_total t on t.org_id = ${orgId} and t.source_ip = a.source_ip
    ), own as (
      select s.*, c.decision from senders s
        left join sender_decision c on c.org_id = ${orgId} and c.domain_id = ${domainId} and c.sender = s.sender
      where c.decision = 'ours' or c.decision is null and s.compliant > 0
    )
    select o.slug, o.decision, sum(o.messages)::bigint as messages, sum(o.compliant)::bigint as compliant,
      sum(o.spf_pass)::bigint as spf_pass, sum(o.dkim_pass)::bigint as dkim_pass, sum(o.forwarded)::bigint as forwarded,
      sum(o.suspicious)::bigint as suspicious, sum(o.needs_review)::bigint as needs_review,
      count(*) filter (where e.ptr_state = 'confirmed') as confirmed,
      count(*) filter (where e.ptr_state = 'unconfirmed') as wrong,
      count(*) filter (where e.ptr_state = 'none') as missing,
      count(*) filter (where e.ptr_state is null or e.ptr_state = 'unchecked') as unknown
    from own o left join lateral (select ptr_state from ip_enrichment where address = o.source_ip offset 0) e on true
    group by o.sender, o.slug, o.decision`.execute(db);
  const sums: OwnMail = {
    mail: { messages: 0, passed: 0, spf: 0, dkim: 0 },
    pointers: { confirmed: 0, wrong: 0, missing: 0, unknown: 0 },
  };
  for (const sender of rows.filter(isOwn)) addTo(sums, sender);
  return sums;
}

function isOwn(sender: Sender): boolean {
  if (sender.decision === 'ours') return true;
  const { messages, spf_pass: spfPass } = sender;
  const suggestion = suggestDecision({ class: sourceClassOf(sender), messages, spfPass, ...relayingOf(sender.slug) });
  return suggestion === null || suggestion.decision === 'ours';
}

/** A signature survives forwarding: where SPF never passes, a network may be the host of a recipient that relays. */
function isSending({ decision, spf_pass: spfPass, slug }: Sender): boolean {
  return decision === 'ours' || spfPass > 0 || !relayingOf(slug).mayRelay;
}

function addTo({ mail, pointers }: OwnMail, sender: Sender): void {
  mail.messages += sender.messages - sender.forwarded;
  mail.passed += sender.compliant;
  mail.spf += sender.spf_pass;
  mail.dkim += sender.dkim_pass;
  if (!isSending(sender)) return;
  pointers.confirmed += sender.confirmed;
  pointers.wrong += sender.wrong;
  pointers.missing += sender.missing;
  pointers.unknown += sender.unknown;
}
