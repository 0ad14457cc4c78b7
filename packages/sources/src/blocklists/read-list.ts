import { listCategories, type Blocklist, type ListingCode, type Tier } from './blocklist.ts';
import { isDeadZone } from './built-in-lists.ts';
import type { FieldReader } from './field-reader.ts';

const FIELDS = [
  'id',
  'name',
  'rank',
  'zone',
  'zone_v6',
  'key',
  'tier',
  'category',
  'codes',
  'clean_codes',
  'error_codes',
  'ingest',
  'enabled',
  'self_test',
  'delist_url',
  'usage',
] as const;
const CODE_FIELDS = ['code', 'tier', 'category', 'meaning'];
const MAX_CODES = 64;
const MAX_TIER = 4;
const MAX_RANK = 1_000;
/** A key is one or more labels in the zone's name. */
const KEY = /^[a-z0-9_-]{1,63}$/i;

/** The defaults of an operator's list: tier 0, after the built-in lists. */
const unknownList = {
  rank: 100,
  zone: {},
  tier: 0,
  category: 'other',
  ingest: false,
  enabled: true,
  selfTest: 'rfc5782',
  key: 'none',
  usage: 'Configured by the operator.',
} as const;

/** Reads one list of the file: a built-in one with changes, or the operator's own. Undefined if it cannot be used. */
export function readList(reader: FieldReader, id: string, builtIn: Blocklist | undefined): Blocklist | undefined {
  reader.only(FIELDS);
  const base: Blocklist = builtIn ?? { ...unknownList, id, name: id };
  const codes = readCodes(reader);
  const cleanCodes = reader.codes('clean_codes', MAX_CODES);
  const errorCodes = reader.codes('error_codes', MAX_CODES);
  const delistUrl = reader.webAddress('delist_url');
  const zone = readZone(reader, base);
  const isEnabled = reader.flag('enabled') ?? (reader.has('key') || reader.has('zone') || base.enabled);
  if (isEnabled && !base.isFeed && !zone.v4 && !zone.v6)
    return void reader.refuse('blocklist_zone_missing', `${id} needs a ${base.keyedZone ? 'key' : 'zone'}`);
  return {
    ...base,
    name: reader.text('name') ?? base.name,
    rank: reader.whole('rank', 1, MAX_RANK) ?? base.rank,
    zone,
    ...(codes && { codes: codes.length > 0 ? codes : undefined }),
    ...(cleanCodes && { cleanCodes }),
    ...(errorCodes && { errorCodes }),
    tier: (reader.whole('tier', 0, MAX_TIER) ?? base.tier) as Tier, // the reader ensures 0 to 4
    category: reader.oneOf('category', listCategories) ?? base.category,
    ingest: reader.flag('ingest') ?? base.ingest,
    enabled: isEnabled,
    selfTest: reader.oneOf('self_test', ['rfc5782', 'bogons']) ?? base.selfTest,
    ...(delistUrl && { delistUrl }),
    usage: reader.text('usage') ?? base.usage,
  };
}

/** A key gives a zone for both families. A zone's name applies to IPv4, and to both if the list had one for both. */
function readZone(reader: FieldReader, base: Blocklist): Blocklist['zone'] {
  const v4 = reader.domain('zone');
  const v6 = reader.domain('zone_v6');
  for (const zone of [v4, v6])
    if (zone !== undefined && isDeadZone(zone)) reader.refuse('blocklist_zone_dead', `${zone} was closed for good`);
  const key = reader.text('key');
  const isOneForBoth = base.zone.v4 !== undefined && base.zone.v4 === base.zone.v6;
  const plain = { ...base.zone, ...(v4 && { v4 }), ...(isOneForBoth && v4 && { v6: v4 }), ...(v6 && { v6 }) };
  if (key === undefined) return plain;
  if (!base.keyedZone) {
    reader.refuse('blocklist_key_unknown', `${base.id} takes no key; give its zone`);
    return plain;
  }
  if (!key.split('.').every((label) => KEY.test(label)))
    reader.refuse('blocklists_field_invalid', 'key has to be a label of a domain name');
  const keyed = base.keyedZone.replace('{key}', key.toLowerCase());
  return { v4: v4 ?? keyed, v6: v6 ?? keyed };
}

function readCodes(reader: FieldReader): ListingCode[] | undefined {
  if (!reader.has('codes')) return undefined;
  return reader.list('codes', MAX_CODES).flatMap((entry, index) => {
    const code = reader.inside(entry, `codes[${index}]`);
    code.only(CODE_FIELDS);
    const address = code.code('code');
    const tier = code.whole('tier', 0, MAX_TIER) as Tier | undefined; // the reader ensures 0 to 4
    const meaning = code.text('meaning');
    if (address === undefined) {
      if (!code.has('code')) code.refuse('blocklists_field_missing', 'code is missing');
      return [];
    }
    const category = code.oneOf('category', listCategories) ?? 'other';
    return [{ code: address, tier: tier ?? 0, category, ...(meaning && { meaning }) }];
  });
}
