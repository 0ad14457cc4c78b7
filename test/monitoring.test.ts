import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { metricsOf, readAlerts, readPanels } from './support/monitoring.ts';

const runbook = readFileSync(join(import.meta.dirname, '..', 'docs', 'runbook.md'), 'utf8');

/** As headings are linked to: small letters, without marks, spaces as hyphens. */
const anchors = new Set(
  [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
);

it.each(readAlerts())(
  '$alert has an expression in PromQL, a sentence, and a link to its section of the runbook',
  (rule) => {
    expect(metricsOf(rule.expr).size).toBeGreaterThan(0);
    expect(rule.annotations.summary).toMatch(/\.$/);
    expect(['info', 'warning', 'critical']).toContain(rule.labels.severity);
    const [page, anchor] = rule.annotations.runbook_url.split('#');
    expect(page).toBe('docs/runbook.md');
    expect(anchors).toContain(anchor);
  },
);

it('a job that fails once a quarter of an hour is an alert, and so is a mailbox that no process reads', () => {
  const expressionOf = (name: string) => readAlerts().find(({ alert }) => alert === name)?.expr ?? '';
  const range = /\[(\d+)m\]/.exec(expressionOf('DmarcLedgerJobsFail'))?.[1];
  expect(Number(range)).toBeGreaterThanOrEqual(30); // the failures of one plan and of the next
  expect(metricsOf(expressionOf('DmarcLedgerMailboxUnread'))).toContain('mailbox_last_success_timestamp');
});

it('has no two alerts of one name', () => {
  const names = readAlerts().map(({ alert }) => alert);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
});

it('has a dashboard with panels', () => {
  expect(readPanels().length).toBeGreaterThan(20);
});

it.each(readPanels())('the panel "$title" asks in PromQL', ({ targets }) => {
  expect(targets).not.toEqual([]);
  for (const { expr } of targets) expect(metricsOf(expr).size).toBeGreaterThan(0);
});

it.each(['sum(rate(a_total[5m])', 'a_total >', '{"a"}}'])('would find the fault in %s', (expression) => {
  expect(() => metricsOf(expression)).toThrow('no PromQL');
});
