import type { BlobStore } from '@dmarc-ledger/blobs';
import { takeTicket } from '@dmarc-ledger/ledger';
import type { OpenedRaw, RawHost } from '@dmarc-ledger/inlets';
import { openRawDelivery, openRawReport, RawError } from '@dmarc-ledger/pipeline';
import type { Database } from '@dmarc-ledger/schema';
import { HttpProblem, readCredentials } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';

const Input = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('report'),
    id: z.uuid(),
    copy: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
  z.object({ what: z.literal('delivery'), id: z.uuid() }),
]);

const STATUS: { [code in RawError['code']]: number } = {
  raw_unknown: 404,
  raw_deleted: 410,
  raw_shared: 403,
  raw_changed: 410,
};

/** Opens raw bytes for the pages, which reach no blob storage: a ticket of theirs serves for one. */
export function rawHost({ database, blobs }: { database: Database; blobs: BlobStore }): RawHost {
  return {
    async admitRaw(rawHeaders) {
      const credentials = readCredentials(rawHeaders);
      const orgId = credentials.kind === 'bearer' ? await takeTicket(database.db, credentials.token, 'raw') : undefined;
      if (orgId === undefined) throw new HttpProblem('unauthorized', { status: 401, error: 'Invalid Ticket' });
      return orgId;
    },
    async openRaw(orgId, given) {
      const { data: input } = Input.safeParse(given);
      if (!input) throw new HttpProblem('bad_request', { status: 400, error: 'This cannot be read' });
      return await open({ database, blobs }, orgId, input).catch(refused);
    },
  };
}

async function open(
  needs: { database: Database; blobs: BlobStore },
  orgId: string,
  input: z.output<typeof Input>,
): Promise<OpenedRaw> {
  switch (input.what) {
    case 'report':
      return await openRawReport(needs, { orgId, id: input.id, copy: input.copy });
    case 'delivery':
      return await openRawDelivery(needs, { orgId, id: input.id });
  }
}

function refused(error: unknown): never {
  if (!(error instanceof RawError)) throw error;
  throw new HttpProblem(error.code, { status: STATUS[error.code], error: error.message }, { cause: error });
}
