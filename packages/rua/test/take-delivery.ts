import { createHash } from 'node:crypto';
import { unpack, UnpackError, type ByteSource, type Document } from '@dmarc-ledger/unpack';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { LENIENT_LIMIT, readHeader, readReports, ReportError, streamReport, type ReadContext } from '../src/index.ts';

/** The figures of one report, as the oracle of the corpus names them. */
export interface Figures {
  [name: string]: unknown;
}

/** A report that was read, or the code with which it, or its container, was refused. */
export interface Taken {
  reports: { figures: Figures; warnings: Warning[] }[];
  refusals: string[];
}

/** Unpacks a delivery and reads every document in it, small ones whole and large ones as a stream. */
export async function takeDelivery(source: ByteSource, name: string): Promise<Taken> {
  const taken: Taken = { reports: [], refusals: [] };
  for await (const document of unpack(source, { name })) {
    try {
      if (document.kind === 'refused') taken.refusals.push(document.code);
      else if (document.kind !== 'xml') taken.refusals.push(`not_${document.kind}`);
      else await takeDocument(document, taken);
    } catch (error) {
      if (!(error instanceof ReportError) && !(error instanceof UnpackError)) throw error;
      taken.refusals.push(error.code);
    }
  }
  return taken;
}

async function takeDocument(document: Document, taken: Taken): Promise<void> {
  const context = { receivedAt: 1_767_225_600, name: document.name };
  const whole = await document.readWhole(LENIENT_LIMIT);
  if (!whole) return void taken.reports.push(await takeStream(document, context));
  for (const outcome of readReports(whole.bytes, context)) {
    if (outcome instanceof ReportError) taken.refusals.push(outcome.code);
    else
      taken.reports.push({
        figures: sum(outcome.header, outcome.records),
        warnings: [...whole.warnings, ...outcome.warnings],
      });
  }
}

async function takeStream(document: Document, context: ReadContext): Promise<Taken['reports'][number]> {
  try {
    return await takeStreamWith(document, context);
  } catch (error) {
    if (!(error instanceof ReportError) || error.code !== 'header_after_records') throw error;
    return await takeStreamWith(document, { ...context, header: await readHeader(document.open(), context) });
  }
}

async function takeStreamWith(
  document: Document,
  context: ReadContext & { header?: ReportHeader },
): Promise<Taken['reports'][number]> {
  const tally = new Tally();
  let header: ReportHeader | null = null;
  let warnings: Warning[] = [];
  for await (const event of streamReport(document.open(), context)) {
    if (event.type === 'header') header = event.header;
    else if (event.type === 'records') for (const record of event.records) tally.add(record);
    else warnings = event.warnings;
  }
  if (!header) throw new Error('a stream without a header');
  return { figures: tally.figures(header), warnings };
}

function sum(header: ReportHeader, records: readonly ReportRecord[]): Figures {
  const tally = new Tally();
  for (const record of records) tally.add(record);
  return tally.figures(header);
}

class Tally {
  readonly #ips = new Set<string>();
  readonly #dispositions = new Map<string, number>();
  readonly #failures = { spf_only: 0, dkim_only: 0, both: 0, total: 0 };
  #records = 0;
  #messages = 0;
  #pass = 0;
  #dkim = 0;
  #spf = 0;

  add({ count, sourceIp, policyEvaluated: { dkim, spf, disposition } }: ReportRecord): void {
    this.#records += 1;
    this.#messages += count;
    if (dkim === 'pass') this.#dkim += count;
    if (spf === 'pass') this.#spf += count;
    if (dkim === 'pass' || spf === 'pass') this.#pass += count;
    this.#ips.add(sourceIp);
    this.#dispositions.set(disposition, (this.#dispositions.get(disposition) ?? 0) + count);
    this.#failures.total += 1;
    if (dkim === 'pass' && spf === 'fail') this.#failures.spf_only += 1;
    else if (spf === 'pass' && dkim === 'fail') this.#failures.dkim_only += 1;
    else if (dkim === 'fail') this.#failures.both += 1;
  }

  figures({ metadata, policyPublished }: ReportHeader): Figures {
    const ips = [...this.#ips].sort();
    return {
      org_name: metadata.reporterName,
      report_id: metadata.reportId,
      begin: metadata.begin,
      end: metadata.end,
      domain: policyPublished.domain,
      p: policyPublished.p,
      sp: policyPublished.sp,
      records: this.#records,
      messages: this.#messages,
      dmarc_pass: this.#pass,
      dkim_aligned: this.#dkim,
      spf_aligned: this.#spf,
      dispositions: Object.fromEntries(this.#dispositions),
      failure_summary: this.#failures,
      distinct_source_ips: ips.length,
      source_ips: ips,
      source_ips_sha256: createHash('sha256').update(ips.join('\n')).digest('hex'),
    };
  }
}
