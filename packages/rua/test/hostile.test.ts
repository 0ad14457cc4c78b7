import { isDeepStrictEqual } from 'node:util';
import { hostileInputs, pathOfHostile, type Case } from '@dmarc-ledger/testkit/hostile-inputs';
import { bufferSource, fileSource } from '@dmarc-ledger/unpack';
import { describe, expect, it } from 'vitest';
import { bombs, hostileReports, type Outcome } from './hostile-reports.ts';
import { takeDelivery, type Figures, type Taken } from './take-delivery.ts';

const GROUPS = ['archive', 'xml', 'encoding', 'structure', 'value', 'duplicate', 'mail'];
/** The corpus reads `3.0` as nothing; this reader reads it as 3, with a warning. */
const OTHER_GRAMMAR = 'count-decimal.xml';
/** Three records of more messages than any domain receives in a day: refused, with a reason. */
const IMPLAUSIBLE = 'count-sum-over-2p31.xml';
const BIG_MS = 60_000;
/** Generated inputs, with `HOSTILE_DIRECTORY`, may be large. */
const LONGEST_MS = process.env['HOSTILE_DIRECTORY'] ? BIG_MS : 10_000;

const inputs = GROUPS.map(hostileInputs);

it('stands the hostile inputs of the corpus outside', { timeout: 10 * BIG_MS }, async ({ skip }) => {
  const cases = inputs.flatMap((group) => group ?? []);
  if (cases.length === 0) return skip('the corpus is not here');
  const complaints: { [file: string]: unknown } = {};
  for (const [file, entry] of cases) {
    const started = performance.now();
    const taken = await takeDelivery(await fileSource(pathOfHostile(file)), file);
    const complaint = compare(taken, expectedOf(file, entry));
    if (complaint !== null) complaints[file] = complaint;
    if (performance.now() - started > LONGEST_MS) complaints[file] = 'too slow';
  }
  expect(complaints).toEqual({});
});

describe('a hostile report that is made here', () => {
  it('is one of more than thirty', () => {
    expect(Object.keys(hostileReports).length).toBeGreaterThan(30);
  });

  it.each(Object.entries(hostileReports))('is refused or read for what it says: %s', async (_, { make, comesTo }) => {
    expect(outcomeOf(await takeDelivery(bufferSource(make()), 'report.xml'), comesTo)).toEqual(comesTo);
  });

  it.each(Object.entries(bombs))('is refused before it fills the memory: %s', async (_, make) => {
    const { reports, refusals } = await takeDelivery(bufferSource(make()), 'report.xml.gz');
    expect({ reports, refusals }).toEqual({ reports: [], refusals: ['inflation_ratio'] });
  });
});

/** The result in the terms of the expectation; all of it, so that nothing is accepted beside a refusal. */
function outcomeOf({ reports, refusals }: Taken, wanted: Outcome): object {
  if (reports.length === 0) return { refused: refusals.join() };
  const codes = reports.flatMap(({ warnings }) => warnings.map(({ code }) => code));
  const warning = 'warning' in wanted && codes.includes(wanted.warning) ? wanted.warning : codes.join();
  const messages = reports.reduce((sum, { figures }) => sum + Number(figures['messages']), 0);
  return refusals.length > 0 ? { refusals, messages } : { messages, warning };
}

/** The rules' demands on an input, where they exceed those of its makers. */
function expectedOf(file: string, entry: Case): Case {
  if (file === OTHER_GRAMMAR) return { ...entry, reports: [] };
  return file === IMPLAUSIBLE ? { ...entry, verdict: 'reject' } : entry;
}

/** The fault of a result; null for none. Every accepted report has these figures, and nothing is dropped silently. */
function compare(taken: Taken, { verdict, reports = [] }: Case): unknown {
  if (taken.reports.length === 0)
    return verdict !== 'accept' && taken.refusals.length > 0 ? null : `refused: ${taken.refusals.join()}`;
  if (verdict === 'reject') return 'taken';
  for (const wanted of reports) {
    const wrong = taken.reports
      .map(({ figures }) => differences(figures, wanted))
      .sort((a, b) => Object.keys(a).length - Object.keys(b).length)[0];
    if (wrong && Object.keys(wrong).length > 0) return wrong;
  }
  return null;
}

function differences(figures: Figures, wanted: Figures): Figures {
  return Object.fromEntries(
    Object.keys(wanted)
      .filter((name) => !isDeepStrictEqual(figures[name], wanted[name]))
      .map((name) => [name, { got: figures[name], wanted: wanted[name] }]),
  );
}
