import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { fileSource } from '@dmarc-ledger/unpack';
import { describe, expect, it } from 'vitest';
import { takeDelivery, type Figures } from './take-delivery.ts';

interface Expected {
  reject?: true;
  reports?: (Figures & { verdict: 'accept' | 'recover' | 'either'; quirks: string[] })[];
}

const root = new URL('../../../../shared/corpus/', import.meta.url);
const COMPARED = [
  'begin', 'end', 'domain', 'p', 'sp', 'report_id', 'records', 'messages', 'dmarc_pass', 'dkim_aligned', 'spf_aligned',
  'dispositions', 'failure_summary', 'distinct_source_ips', 'source_ips_sha256',
];
/** What a verdict that the reporter left out changes: the corpus counts it as none, we work it out from the raw results. */
const RECOMPUTED = new Set(['dmarc_pass', 'dkim_aligned', 'spf_aligned', 'failure_summary']);
const POLICIES = new Set<unknown>(['none', 'quarantine', 'reject']);

if (existsSync(root)) {
  const expected: { [file: string]: Expected } = JSON.parse(readFileSync(new URL('expected.json', root), 'utf8'));
  describe('real reports', () => {
    for (const [file, entry] of Object.entries(expected).filter(([file]) => file.startsWith('rua/'))) {
      it(`${entry.reject ? 'refuses' : 'reads'} ${file}`, async () => {
        const taken = await takeDelivery(await fileSource(fileURLToPath(new URL(file.split('/').map(encodeURIComponent).join('/'), root))), file);
        if (entry.reject) {
          expect(taken.reports).toEqual([]);
          expect(taken.refusals.length).toBeGreaterThan(0);
          return;
        }
        for (const [index, wanted] of (entry.reports ?? []).entries()) {
          const figures = taken.reports[index]?.figures;
          if (!figures && wanted.verdict !== 'accept') continue;
          expect(figures && differences(figures, wanted), taken.refusals.join()).toEqual(wanted.verdict === 'either' ? expect.anything() : {});
        }
      });
    }
  });
}

/** Words that are no policy are read as none, with a warning. */
function differences(figures: Figures, wanted: Figures & { quirks: string[] }): Figures {
  const normal = (name: string, value: unknown) => (name === 'sp' && !POLICIES.has(value) ? null : value);
  const isLeftOut = wanted.quirks.includes('policy_evaluated-without-dkim-or-spf');
  return Object.fromEntries(
    COMPARED.filter((name) => name in wanted && !(isLeftOut && RECOMPUTED.has(name)) && !isDeepStrictEqual(figures[name], normal(name, wanted[name])))
      .map((name) => [name, { got: figures[name], wanted: wanted[name] }]),
  );
}
