import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { costOf, type Cost } from './cpu.ts';
import type { ReportSet, Totals } from './corpus.ts';
import type { Lab } from './lab.ts';
import { readStream, readWhole } from './reading.ts';

/** What is stored in one transaction, by the rule that the product has. */
export interface Load {
  deliveries: number;
  bytes: number;
}

const TABLE = `create table bare (org_id uuid, report_id uuid, position integer, day date, domain text, reporter text, date_begin timestamptz,
  date_end timestamptz, source_ip inet, messages bigint, disposition text, dkim_pass boolean, spf_pass boolean, header_from text,
  envelope_from text, envelope_to text, reason text, dkim_results jsonb, spf_results jsonb)`;
const ORG = randomUUID();

/** The least that a store can do: the same reading, and COPY into one table of 19 columns without key or index. */
export async function floorCost(lab: Lab, set: ReportSet, load: Load, verify: (totals: Totals) => void): Promise<Cost> {
  const url = await lab.createDatabase(false);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(TABLE);
  await lab.checkpoint();
  try {
    const cost = await costOf(lab.serverPid, () =>
      set.isLarge ? copyStreams(client, set) : copyLoads(client, set, load),
    );
    verify(await totalsOf(client));
    return cost;
  } finally {
    await client.end();
  }
}

async function copyLoads(client: pg.Client, { files }: ReportSet, load: Load): Promise<void> {
  let [lines, reports, size]: [string, number, number] = ['', 0, 0];
  const store = async () => {
    if (reports > 0) await copy(client, [lines]);
    [lines, reports, size] = ['', 0, 0];
  };
  for (const file of files) {
    const {
      reading: { header, records },
      bytes,
    } = readWhole(await readFile(file));
    lines += linesOf(header, randomUUID(), 0, records);
    reports += 1;
    size += bytes;
    if (reports >= load.deliveries || size >= load.bytes) await store();
  }
  await store();
}

async function copyStreams(client: pg.Client, { files }: ReportSet): Promise<void> {
  for (const file of files) await copy(client, streamedLines(await readFile(file)));
}

async function* streamedLines(gz: Buffer): AsyncGenerator<string> {
  const id = randomUUID();
  let position = 0;
  for await (const { header, records } of readStream(gz)) {
    yield linesOf(header, id, position, records);
    position += records.length;
  }
}

async function copy(client: pg.Client, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await client.query('begin');
  await pipeline(Readable.from(lines, { objectMode: false }), client.query(copyFrom('copy bare from stdin')));
  await client.query('commit');
}

function linesOf(
  { metadata, policyPublished }: ReportHeader,
  id: string,
  before: number,
  records: readonly ReportRecord[],
): string {
  const begin = new Date(metadata.begin! * 1000).toISOString();
  const end = new Date(metadata.end! * 1000).toISOString();
  const same = `\t${begin.slice(0, 10)}\t${policyPublished.domain}\t${text(metadata.reporterName)}\t${begin}\t${end}\t`;
  let lines = '';
  for (let i = 0; i < records.length; i += 1) {
    const {
      sourceIp,
      count,
      policyEvaluated: { disposition, dkim, spf, reasons },
      identifiers,
      authResults,
    } = records[i]!;
    lines +=
      `${ORG}\t${id}\t${before + i + 1}${same}${sourceIp}\t${count}\t${disposition}\t${dkim === 'pass'}\t${spf === 'pass'}\t` +
      `${text(identifiers.headerFrom)}\t${text(identifiers.envelopeFrom)}\t${text(identifiers.envelopeTo)}\t` +
      `${text(reasons?.[0]?.type ?? null)}\t${json(authResults.dkim)}\t${json(authResults.spf)}\n`;
  }
  return lines;
}

function json(value: unknown[] | null): string {
  return text(value && JSON.stringify(value));
}

function text(value: string | null): string {
  if (value === null) return '\\N';
  return /[\\\t\n\r]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : value;
}

async function totalsOf(client: pg.Client): Promise<Totals> {
  const { rows } =
    await client.query<Totals>(`select count(distinct report_id)::float8 as reports, count(*)::float8 as records,
      sum(messages)::float8 as messages,
    (sum(messages) filter (where dkim_pass or spf_pass))::float8 as compliant,
    count(distinct source_ip)::float8 as sources from bare`);
  return rows[0]!;
}
