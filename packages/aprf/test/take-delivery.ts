import { unpack, UnpackError, type ByteSource } from '@dmarc-ledger/unpack';
import { JsonError, parseJson } from '@dmarc-ledger/vocabulary';
import { AprfError, readAprf, type AprfReport } from '../src/index.ts';

const LIMIT = 8 * 1024 ** 2;

/** Reports that were taken, and the codes with which the rest was refused. */
export interface Taken {
  reports: AprfReport[];
  refusals: string[];
}

export async function takeDelivery(source: ByteSource, name: string): Promise<Taken> {
  const taken: Taken = { reports: [], refusals: [] };
  try {
    const { documents, refusals } = await unpack(source, { name });
    taken.refusals.push(...refusals.map(({ code }) => code));
    for (const document of documents) {
      const whole = await document.readWhole(LIMIT);
      if (!whole) taken.refusals.push('payload_too_large');
      for (const outcome of whole ? readAprf(parseJson(whole.bytes).value, { receivedAt: 1_790_000_000 }) : []) {
        if (outcome instanceof AprfError) taken.refusals.push(outcome.code);
        else taken.reports.push(outcome);
      }
    }
  } catch (error) {
    if (!(error instanceof AprfError || error instanceof JsonError || error instanceof UnpackError)) throw error;
    taken.refusals.push(error.code);
  }
  return taken;
}
