import { Readable } from 'node:stream';
import { findReport, findWarnings, readRecords } from '@dmarc-ledger/queries';
import { warningText } from '@dmarc-ledger/vocabulary';
import { defineRoute } from '../define-route.ts';
import { JsonStream } from '../http/answer.ts';
import { notFound } from '../http/problem.ts';
import { idParam } from '../parameters/strict.ts';
import { reportExample } from './report-example.ts';
import { reportJson } from './report-json.ts';
import { Report } from './report-schema.ts';

export const getReport = defineRoute({
  path: '/reports/{id}',
  operationId: 'getReport',
  permission: 'report:read',
  tag: 'Reports',
  summary: "One report with the reporter's own element names, and the service's verdicts.",
  params: { id: idParam('Id of the report, from the list.', 'Invalid Report ID') },
  answer: Report,
  errors: { 400: 'The id is not a valid identifier.', 404: 'The organization has no report with that id.' },
  example: reportExample,
  async handle({ db, caller: { orgId } }, { id }) {
    const report = await findReport(db, orgId, id);
    if (!report) throw notFound('Report Not Found');
    const warnings = (await findWarnings(db, orgId, id)).map(warningText);
    return new JsonStream(Readable.from(await begun(reportJson(report, warnings, readRecords(db, orgId, report)))));
  },
});

/**
 * Returns the same chunks after reading the first records, so that a database failure is noticed before the response
 * begins.
 */
async function begun(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const head = [await pieces.next(), await pieces.next()].flatMap(({ value }) => (value === undefined ? [] : [value]));
  return (async function* () {
    yield head.join('');
    yield* pieces;
  })();
}
