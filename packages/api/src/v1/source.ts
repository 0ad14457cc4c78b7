import { findSourceKnowledge, sourceClassOf } from '@dmarc-ledger/facts';
import { findListResults, findSource, findSourceDays, findSourceReports } from '@dmarc-ledger/queries';
import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import { idText } from '@dmarc-ledger/vocabulary';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { notFound } from '../http/problem.ts';
import { addressParam } from '../parameters/strict.ts';
import { instantOrNull } from './report-row.ts';
import { describeClass } from './source-description.ts';
import { toSourceFigures } from './source-figures.ts';
import { toSourceKnowledge, uncheckedVerdict } from './source-knowledge.ts';
import { Source } from './source-schema.ts';
import { toTrendPoint } from './trend-point.ts';

export const getSource = defineRoute({
  path: '/sources/{ip}',
  operationId: 'getSource',
  permission: 'analytics:read',
  tag: 'Sources',
  summary: 'Everything held about one sending address.',
  params: { ip: addressParam('IPv4 or IPv6 address, in any of its forms.') },
  answer: Source,
  errors: { 400: 'Not a valid IP address.', 404: 'No report of the organization mentions the address.' },
  example: {
    source_ip: '203.0.113.5',
    total_messages: 160,
    pass_count: 125,
    fail_count: 35,
    spf_fail_count: 40,
    dkim_fail_count: 35,
    compliance_rate: 78.13,
    first_seen: '2026-02-01T00:00:00Z',
    last_seen: '2026-03-01T23:59:59Z',
    domains: ['example.com'],
    records: [
      {
        id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        report_id: '12345678901234567890',
        domain: 'example.com',
        count: 160,
        disposition: 'none',
        dkim_result: 'pass',
        spf_result: 'fail',
        header_from: 'example.com',
        org_name: 'google.com',
        date_begin: '2026-03-01T00:00:00Z',
        date_end: '2026-03-01T23:59:59Z',
      },
    ],
    records_total: 1,
    timeline: [
      {
        date: '2026-03-01',
        reports: 1,
        total_messages: 160,
        compliant_messages: 125,
        failed_messages: 35,
        compliance_rate: 78.13,
      },
    ],
    blocklist_verdict: uncheckedVerdict,
    classification: 'needs_review',
    classification_description:
      'Mail from this address fails DMARC and nothing tells whether it is yours. Check whether you know this sender.',
  },
  async handle(needs, { ip }) {
    const body = await sourceAnswer(needs, { ip });
    if (!body) throw notFound('Source Not Found');
    return body;
  },
});

/** An address, as all domains or, which pages ask for and v1 does not, as one by its id. */
interface SourceQuestion {
  ip: string;
  domainId?: string | undefined;
}

/** Everything held about an address; undefined if no report, of that domain if one is given, mentions it. */
export async function sourceAnswer(
  { db, caller: { orgId } }: Pick<RequestNeeds, 'db' | 'caller'>,
  question: SourceQuestion,
) {
  return await inSnapshot(db, (snapshot) => answerAsOf(snapshot, orgId, question));
}

/** A page of what reports said of an address, the newest first, a row for each. */
export async function sourceRecords(
  { db, caller: { orgId } }: Pick<RequestNeeds, 'db' | 'caller'>,
  question: SourceQuestion,
  page: { limit: number; offset: number },
) {
  const reports = await inSnapshot(db, (snapshot) => findSourceReports(snapshot, orgId, question, page));
  return reports.map(toSourceRecord);
}

async function answerAsOf(db: Db, orgId: string, question: SourceQuestion) {
  const { ip, domainId } = question;
  const source = await findSource(db, orgId, ip, domainId);
  if (!source) return undefined;
  const [reports, days, knowledge, results] = await Promise.all([
    findSourceReports(db, orgId, question),
    findSourceDays(db, orgId, ip, domainId),
    findSourceKnowledge(db, orgId, [ip]),
    findListResults(db, ip),
  ]);
  const known = knowledge.get(ip);
  const classification = sourceClassOf(source);
  const why = describeClass(
    classification,
    source,
    reports.flatMap(({ records }) => records),
    known,
  );
  return {
    ...toSourceFigures(source),
    domains: source.domains,
    records: reports.map(toSourceRecord),
    records_total: source.reports,
    timeline: days.map(toTrendPoint),
    ...toSourceKnowledge(known, results),
    classification,
    ...(why === undefined ? {} : { classification_description: why }),
  };
}

function toSourceRecord({ report, foremost, messages }: Awaited<ReturnType<typeof findSourceReports>>[number]) {
  return {
    id: idText(report.id),
    report_id: report.report_id,
    domain: report.domain,
    count: messages,
    disposition: foremost.disposition,
    dkim_result: foremost.dkim_pass ? ('pass' as const) : ('fail' as const),
    spf_result: foremost.spf_pass ? ('pass' as const) : ('fail' as const),
    header_from: foremost.header_from,
    org_name: report.reporter_name,
    date_begin: instantOrNull(report.date_begin),
    date_end: instantOrNull(report.date_end),
  };
}
