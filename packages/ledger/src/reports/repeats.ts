import { sql } from 'kysely';

/** The most repeats of one content that are looked at: anybody can mail a known content again. */
export const MOST_REPEATS = 1_000;

/**
 * Whether the delivery `m` repeats the content `k.hex` of the organization, in the words of the index over such
 * deliveries, which answers alone: the parts of an archive that repeats thousands are not read for each of these.
 */
export const IS_REPEATING = sql.raw(`m.parts @? '$[*] ? (@.outcome == "duplicate")'
  and repeated_contents(m.org_id, m.parts) @> array[k.org_id || ' ' || k.hex]`);
