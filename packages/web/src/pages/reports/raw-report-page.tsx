import { findReport } from '@dmarc-ledger/queries';
import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { definePage } from '../../page/define-page.ts';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { intakeTexts } from '../../texts/intake.ts';
import { PageLink } from '../../views/page-link.tsx';
import { beginningOf, RAW_SHOWN, type RawText } from './raw-text.ts';

/** What did the reporter write, to the letter? */
export const rawReportPage = definePage({
  path: '/reports/:id/xml',
  permission: 'read raw reports',
  query: z.object({
    copy: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'There is no such copy')
      .optional(),
    save: z.enum(['1']).optional().catch(undefined),
  }),
  params: z.object({ id: z.string().transform((text) => parseId(text) ?? '') }),
  async load({ db, viewer: { orgId }, openRaw }, { id, copy, save }) {
    const report = id === '' ? undefined : await findReport(db, orgId, id);
    if (!report) throw new HttpProblem('not_found', { status: 404, error: 'There is no such report' });
    const { content } = await openRaw({ what: 'report', id, copy });
    if (save !== undefined)
      return { type: 'application/octet-stream', filename: `report-${idText(id)}.xml`, body: content };
    const { reporterName } = report.metadata;
    const raw = await beginningOf(content);
    const title = `XML of the report of ${reporterName ?? 'an unnamed reporter'} about ${report.policy.domain}`;
    return { title, body: <RawReport title={title} id={idText(id)} raw={raw} /> };
  },
});

function RawReport({ title, id, raw: { text, isCut } }: { title: string; id: string; raw: RawText }) {
  const { formats, url } = useFrame();
  return (
    <>
      <p class="small">
        <PageLink to={`/reports/${id}`}>The report as people read it</PageLink>
      </p>
      <h1>{title}</h1>
      <section class="panel">
        <p>{intakeTexts.rawIntro}</p>
        {isCut && <p>{intakeTexts.cut(formats.count(RAW_SHOWN))}</p>}
        <p>
          <a class="button" href={samePage(url, { save: 1 })}>
            Save the XML
          </a>
        </p>
        <div class="scroll" tabIndex={0} role="region" aria-label="The XML of the report">
          <pre dir="ltr">{text}</pre>
        </div>
      </section>
    </>
  );
}
