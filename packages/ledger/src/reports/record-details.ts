import { createHash } from 'node:crypto';
import type { RecordAlignment, ReportRecord } from '@dmarc-ledger/dmarc';
import type { Session, Statement } from '@dmarc-ledger/schema';

/**
 * The most different details that one transaction shares, and the most characters of them: they are held in memory. A
 * reporter can make the detail of each record different and long, so records beyond this keep their own.
 */
const MOST = { details: 2_000, characters: 2 * 1024 ** 2 };

/** A row of `record_detail` without its organization, in the form of JSON. */
type DetailRow = ReturnType<typeof detailOf>;

/**
 * The details of records that are being written: what they say of their mail besides address, number and recipient.
 * Each is kept once for the organization, by the hash of its content. `keep` must follow in the transaction that writes
 * the records.
 */
export class RecordDetails {
  readonly #most: typeof MOST;
  #characters = 0;
  readonly #ids = new Map<string, string>();
  readonly #rows: (DetailRow & { id: string })[] = [];

  constructor(most = MOST) {
    this.#most = most;
  }

  /** Returns the id of the detail of a record; undefined if the record must keep its own. */
  share(detail: DetailRow): string | undefined {
    const content = JSON.stringify(detail);
    const known = this.#ids.get(content);
    if (known !== undefined || this.#isFull(content)) return known;
    this.#characters += content.length;
    const id = createHash('sha256').update(content).digest('hex').slice(0, 32);
    this.#ids.set(content, id);
    this.#rows.push({ id, ...detail });
    return id;
  }

  #isFull({ length }: string): boolean {
    return this.#ids.size >= this.#most.details || this.#characters + length > this.#most.characters;
  }

  /**
   * Stores the details that the organization does not have yet. Locks them in the order of their ids. Most are known
   * and were used today: their content is not sent.
   */
  async keep(session: Session, orgId: string): Promise<void> {
    if (this.#rows.length === 0) return;
    const found = await session.run<{ id: string }>(findNoted, [orgId, this.#rows.map(({ id }) => id)]);
    const noted = new Set(found.map(({ id }) => id.replaceAll('-', '')));
    const rest = this.#rows.filter(({ id }) => !noted.has(id));
    if (rest.length > 0) await session.run(keepDetails, [orgId, JSON.stringify(rest)]);
  }
}

/**
 * What a record says of its mail in the names of the columns, without its address, number and recipient: Microsoft
 * names the domain of the recipient in each record, which makes most of them different.
 */
export function detailOf({ policyEvaluated, identifiers, authResults }: ReportRecord, { dkim, spf }: RecordAlignment) {
  return {
    disposition: policyEvaluated.disposition,
    header_from: identifiers.headerFrom,
    envelope_from: identifiers.envelopeFrom,
    reasons: policyEvaluated.reasons,
    dkim_results: withoutNulls(authResults.dkim),
    spf_results: withoutNulls(authResults.spf),
    dkim_aligned: dkim,
    spf_aligned: spf,
  };
}

/** Results without the fields of the remarks that were not sent. */
function withoutNulls<Result extends { humanResult?: string | null | undefined }>(results: readonly Result[] | null) {
  return results && results.map((result) => ({ ...result, humanResult: result.humanResult ?? undefined }));
}

/** How often it is noted that records are stored with a detail: `removeDetails` allows for it. */
const NOTED_EVERY = '1 day';

/** Returns those of these details whose use was noted within the day. */
const findNoted: Statement = {
  name: 'find-noted-details',
  inKeyOrder: true,
  text: `
    select d.id from unnest($2::uuid[]) as k (id) cross join lateral (
      select id, used_at from record_detail where org_id = $1 and id between k.id and k.id order by id offset 0) d
    where d.used_at >= now() - interval '${NOTED_EVERY}'`,
};

/**
 * Adds new details, and notes that the others are in use. One whose use was noted within the day is not locked: no
 * purge deletes it. For any other that another transaction has locked, the statement waits: if it was deleted, it is
 * added again. Only when all of these are locked is anything added.
 */
const keepDetails: Statement = {
  name: 'keep-details',
  text: `
    with given as (
      select * from json_to_recordset($2::json) as d (id uuid, disposition text, header_from text, envelope_from text,
        reasons jsonb, dkim_results jsonb, spf_results jsonb, dkim_aligned boolean[], spf_aligned boolean[])
      order by id offset 0
    ), known as materialized (
      select d.id, d.is_noted from given g cross join lateral (
        select id, used_at >= now() - interval '${NOTED_EVERY}' as is_noted from record_detail
        where org_id = $1 and id between g.id and g.id order by id offset 0) d
    ), held as materialized (
      select d.id from (select id from known where not is_noted order by id offset 0) k cross join lateral (
        select id from record_detail where org_id = $1 and id between k.id and k.id
          and used_at < now() - interval '${NOTED_EVERY}' order by id for no key update) d
    ), noted as (
      insert into record_detail (org_id, id, disposition, header_from) select $1, id, '', '' from held order by id
      on conflict (org_id, id) do update set used_at = now()
    )
    insert into record_detail (org_id, id, disposition, header_from, envelope_from, reasons, dkim_results,
      spf_results, dkim_aligned, spf_aligned)
    select $1, id, disposition, header_from, envelope_from, reasons, dkim_results, spf_results, dkim_aligned,
      spf_aligned
    from given
    where id not in (select id from held) and id not in (select id from known where is_noted)
    order by id
    on conflict (org_id, id) do nothing`,
};
