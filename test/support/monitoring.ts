import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');

/** A rule of deploy/prometheus/alerts.yaml. */
export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export function readAlerts(): AlertRule[] {
  const { groups } = parse(readFileSync(join(deploy, 'prometheus', 'alerts.yaml'), 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** The panels of the dashboard that show something, with what they ask for. */
export function readPanels(): Required<Panel>[] {
  const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana', 'dmarc-ledger.json'), 'utf8')) as {
    panels: Panel[];
  };
  return panels.flatMap(({ title, targets }) => (targets ? [{ title, targets }] : []));
}

/** The metrics that an expression names; a fault in it is thrown. */
export function metricsOf(expression: string): Set<string> {
  const names = new Set<string>();
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`no PromQL at ${from} of: ${expression}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.add(expression.slice(from, to));
    },
  });
  return names;
}

export function metricsOfAlerts(): Set<string> {
  return new Set(readAlerts().flatMap(({ expr }) => [...metricsOf(expr)]));
}

export function metricsOfDashboard(): Set<string> {
  return new Set(readPanels().flatMap(({ targets }) => targets.flatMap(({ expr }) => [...metricsOf(expr)])));
}
