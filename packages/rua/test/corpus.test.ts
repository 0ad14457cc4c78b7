import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';
import { takeDelivery, type Figures, type Taken } from './take-delivery.ts';

interface Expected {
  reject?: true;
  reports?: (Figures & { verdict: 'accept' | 'recover' | 'either'; quirks: string[] })[];
}

const root = new URL('../../../../shared/corpus/', import.meta.url);
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
/** What a verdict that the reporter left out changes: the corpus counts it as none, we work it out from the raw results. */
const RECOMPUTED = new Set(['dmarc_pass', 'dkim_aligned', 'spf_aligned', 'failure_summary']);
const POLICIES = new Set<unknown>(['none', 'quarantine', 'reject']);

/** Empty where the corpus is not at hand. */
const expected: { [file: string]: Expected } = existsSync(root)
  ? JSON.parse(readFileSync(new URL('expected.json', root), 'utf8'))
  : {};
const reports = Object.entries(expected).filter(([file]) => file.startsWith('rua/'));

it(`reads ${reports.length} real reports as the oracle does`, { timeout: 60_000 }, async () => {
  const complaints: { [file: string]: unknown } = {};
  for (const [file, entry] of reports) {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), root);
    const complaint = compare(await takeDelivery(await fileSource(fileURLToPath(url)), file), entry);
    if (complaint !== null) complaints[file] = complaint;
  }
  expect(complaints).toEqual({});
});

/** What is wrong with what was taken; null for nothing. Only a plain report may not be refused. */
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

/** Words that are no policy are read as none, with a warning. */
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
