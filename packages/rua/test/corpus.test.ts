import { isDeepStrictEqual } from 'node:util';
import { outsideReports } from '@dmarc-ledger/testkit/outside-corpus';
import { fileSource } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';
import { takeDelivery, type Figures, type Taken } from './take-delivery.ts';

interface Expected {
  reject?: true;
  reports?: (Figures & { verdict: 'accept' | 'recover' | 'either'; quirks: string[] })[];
}

const COMPARED = [
  'begin',
  'end',
  'domain',
  'p',
  'sp',
  'report_id',
  'records',
  'messages',
  'dmarc_pass',
  'dkim_aligned',
  'spf_aligned',
  'dispositions',
  'failure_summary',
  'distinct_source_ips',
  'source_ips_sha256',
];
/** The effect of a missing verdict: the corpus counts it as none, this reader computes it from the raw results. */
const RECOMPUTED = new Set(['dmarc_pass', 'dkim_aligned', 'spf_aligned', 'failure_summary']);
const POLICIES = new Set<unknown>(['none', 'quarantine', 'reject']);

const reports = outsideReports<Expected>('rua');

it('reads the real reports of the corpus outside as its oracle does', { timeout: 60_000 }, async ({ skip }) => {
  if (!reports) return skip('the corpus is not here');
  const complaints: { [file: string]: unknown } = {};
  for (const [file, { path, expected }] of Object.entries(reports)) {
    const complaint = compare(await takeDelivery(await fileSource(path), file), expected);
    if (complaint !== null) complaints[file] = complaint;
  }
  expect(complaints).toEqual({});
});

/** The fault of a reading; null for none. Only a plain report may not be refused. */
function compare(taken: Taken, { reject, reports: wanted = [] }: Expected): unknown {
  if (reject) return taken.reports.length === 0 && taken.refusals.length > 0 ? null : 'taken';
  for (const [index, report] of wanted.entries()) {
    const figures = taken.reports[index]?.figures;
    if (!figures && report.verdict === 'accept') return `refused: ${taken.refusals.join()}`;
    const wrong = figures && report.verdict !== 'either' ? differences(figures, report) : {};
    if (Object.keys(wrong).length > 0) return wrong;
  }
  return null;
}

/** Unknown words for a policy are read as none, with a warning. */
function differences(figures: Figures, wanted: Figures & { quirks: string[] }): Figures {
  const normal = (name: string, value: unknown) => (name === 'sp' && !POLICIES.has(value) ? null : value);
  const isLeftOut = wanted.quirks.includes('policy_evaluated-without-dkim-or-spf');
  return Object.fromEntries(
    COMPARED.filter(
      (name) =>
        name in wanted &&
        !(isLeftOut && RECOMPUTED.has(name)) &&
        !isDeepStrictEqual(figures[name], normal(name, wanted[name])),
    ).map((name) => [name, { got: figures[name], wanted: wanted[name] }]),
  );
}
