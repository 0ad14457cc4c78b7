import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';

/** The ends of file names, by what the first bytes are. */
const ENDS: { [kind: string]: string } = {
  mail: 'eml',
  zip: 'zip',
  gzip: 'gz',
  tar: 'tar',
  xml: 'xml',
  json: 'json',
};

/** What exactly came in? The mail or the file itself, to save. */
export const rawDeliveryPage = definePage({
  path: '/settings/ingest/:id/raw',
  permission: 'read mail',
  query: z.object({}),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async load({ openRaw }, { id }) {
    if (id === '') throw new HttpProblem('not_found', { status: 404, error: 'There is no such delivery' });
    const { kind, content } = await openRaw({ what: 'delivery', id });
    const filename = `delivery-${idText(id)}.${ENDS[kind] ?? 'bin'}`;
    return { type: 'application/octet-stream', filename, body: content };
  },
});
