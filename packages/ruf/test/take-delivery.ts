import { unpack, UnpackError, type ByteSource } from '@dmarc-ledger/unpack';
import { FailureReportError, readFailureReport, type FailureReport } from '../src/index.ts';

const LIMIT = 8 * 1024 ** 2;

/** Reports that were taken, and the codes with which the rest was refused. */
export interface Taken {
  reports: FailureReport[];
  refusals: string[];
}

export async function takeDelivery(source: ByteSource, name: string): Promise<Taken> {
  const taken: Taken = { reports: [], refusals: [] };
  try {
    const { documents, refusals } = await unpack(source, { name });
    taken.refusals.push(...refusals.map(({ code }) => code));
    for (const document of documents) {
      if (document.kind !== 'failure-report') {
        taken.refusals.push(`not_${document.kind}`);
        continue;
      }
      const whole = await document.readWhole(LIMIT);
      if (whole) taken.reports.push(readFailureReport(whole.bytes, { receivedAt: 1_790_000_000 }));
      else taken.refusals.push('payload_too_large');
    }
  } catch (error) {
    if (!(error instanceof FailureReportError || error instanceof UnpackError)) throw error;
    taken.refusals.push(error.code);
  }
  return taken;
}
