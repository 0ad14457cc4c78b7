import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { below, geometric, pick, seeded, zipf, type Random } from './random.ts';
import { recordXml, reportEnd, reportStart } from './report-xml.ts';

/** What a set adds up to; both sides of a comparison must find the same before any figure counts. */
export interface Totals {
  reports: number;
  records: number;
  messages: number;
  compliant: number;
  sources: number;
}

/** Reports of our own making, each a gzip file. */
export interface ReportSet {
  name: string;
  files: string[];
  /** Each is too large to be held whole. */
  isLarge: boolean;
  totals: Totals;
}

/** How many reports a set has, of how many records each, about how many domains. */
export interface Shape {
  reports: number;
  records: number | 'few';
  /** 20 by default. */
  domains?: number;
  /** How many addresses they are drawn from; 50,000 by default. */
  addresses?: number;
  /** Report ids of nineteen digits, as large reporters make them: no two are similar. */
  hasLongIds?: boolean;
  /** How many days, up to yesterday, their windows are of; 60 by default. */
  days?: number;
}

/** Above this a document of ours is longer than what is read whole (8 MiB). */
const LARGE_RECORDS = 12_000;
const ADDRESSES = 50_000;
const EXPONENT = 0.8;
const DOMAINS = 20;
const REPORTERS = [
  'big-mail.example',
  'isp.example',
  'webmail.example',
  'filter.example',
  'campus.example',
  'tele.example',
  'post.example',
  'host.example',
];
const DAYS = 60;
const DAY = 86_400;
const PIECE = 500;

/** Makes a set in the folder. The same seed gives the same reports on the same day. */
export async function makeSet(folder: string, name: string, seed: number, shape: Shape): Promise<ReportSet> {
  mkdirSync(join(folder, name), { recursive: true });
  const random = seeded(seed);
  const source = zipf(addressPool(random, shape.addresses ?? ADDRESSES), EXPONENT);
  const domains = Array.from({ length: shape.domains ?? DOMAINS }, (_, i) => `brand-${i + 1}.example`);
  const totals: Totals = { reports: shape.reports, records: 0, messages: 0, compliant: 0, sources: 0 };
  const seen = new Set<string>();
  const files: string[] = [];
  for (let i = 0; i < shape.reports; i += 1) {
    const records = shape.records === 'few' ? Math.min(20, geometric(random, 6.3)) : shape.records;
    const file = join(folder, name, `${String(i).padStart(5, '0')}.xml.gz`);
    const id = `${name}-${seed}-${i}`;
    const about = { id: shape.hasLongIds ? longId(id) : id, domain: pick(random, domains), days: shape.days ?? DAYS };
    await pipeline(
      Readable.from(reportPieces(about, records, random, source, totals, seen)),
      createGzip(),
      createWriteStream(file),
    );
    files.push(file);
  }
  return {
    name,
    files,
    isLarge: shape.records !== 'few' && shape.records >= LARGE_RECORDS,
    totals: { ...totals, sources: seen.size },
  };
}

function longId(id: string): string {
  const hash = createHash('sha256').update(id).digest();
  return hash.readBigUInt64BE().toString().padStart(20, '0').slice(-19);
}

function* reportPieces(
  { id, domain, days }: { id: string; domain: string; days: number },
  records: number,
  random: Random,
  source: (random: Random) => string,
  totals: Totals,
  seen: Set<string>,
): Generator<string> {
  const begin = (Math.floor(Date.now() / 1000 / DAY) - 1 - below(random, days)) * DAY;
  yield reportStart({ id, domain, reporter: pick(random, REPORTERS), begin, end: begin + DAY - 1 });
  for (let done = 0; done < records; done += PIECE) {
    let piece = '';
    for (let i = done; i < Math.min(records, done + PIECE); i += 1) {
      const { dkim, spf } = verdict(random);
      const record = { sourceIp: source(random), count: geometric(random, 9), dkim, spf, domain, random };
      totals.records += 1;
      totals.messages += record.count;
      if (dkim || spf) totals.compliant += record.count;
      seen.add(record.sourceIp);
      piece += recordXml(record);
    }
    yield piece;
  }
  yield reportEnd();
}

/** Four of five pass both ways; the rest pass one way or none. */
function verdict(random: Random): { dkim: boolean; spf: boolean } {
  const drawn = random();
  return { dkim: drawn < 0.88, spf: drawn < 0.8 || (drawn >= 0.88 && drawn < 0.93) };
}

/** Different addresses in canonical spelling, one of twenty IPv6. */
function addressPool(random: Random, size: number): string[] {
  const pool = new Set<string>();
  const group = () => (1 + below(random, 0xffff)).toString(16);
  while (pool.size < size) {
    pool.add(
      random() < 0.05
        ? `2001:db8:${Array.from({ length: 6 }, group).join(':')}`
        : `${20 + below(random, 80)}.${below(random, 256)}.${below(random, 256)}.${1 + below(random, 254)}`,
    );
  }
  return [...pool];
}
