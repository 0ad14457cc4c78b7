import { Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { PolicyPublished, ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { readReports, ReportError, streamReport, type ReportReading } from '@dmarc-ledger/rua';

const SLICE = 64 * 1024;

/** The context of reading; the generated reports are of the days before today. */
const context = { receivedAt: Math.floor(Date.now() / 1000), name: null };

/** A report that is held whole: inflated and read. */
export function readWhole(gz: Buffer): { reading: ReportReading; bytes: number } {
  const xml = gunzipSync(gz);
  const [outcome] = readReports(xml, context);
  if (!outcome || outcome instanceof ReportError) throw outcome ?? new Error('no report');
  return { reading: outcome, bytes: xml.length };
}

/** A report of any size: inflated and read as a stream, batch by batch. */
export async function* readStream(gz: Buffer): AsyncGenerator<{ header: ReportHeader; records: ReportRecord[] }> {
  const chunks = Readable.from(slices(gz)).pipe(createGunzip({ chunkSize: SLICE }));
  let header: ReportHeader | undefined;
  for await (const event of streamReport(chunks, context)) {
    if (event.type === 'header') header = event.header;
    if (event.type === 'records') yield { header: header!, records: event.records };
  }
}

/** Every record of a report with the policy that it is judged by, in batches. */
export async function* recordsOf(
  gz: Buffer,
  isLarge: boolean,
): AsyncGenerator<{ policy: PolicyPublished; records: ReportRecord[] }> {
  if (!isLarge) {
    const {
      reading: { header, records },
    } = readWhole(gz);
    return yield { policy: header.policyPublished, records };
  }
  for await (const { header, records } of readStream(gz)) yield { policy: header.policyPublished, records };
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
}
