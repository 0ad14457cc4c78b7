/** The names in a page of Prometheus' text format; of a histogram those of its series too. */
export function namesIn(page: string): Set<string> {
  const names = new Set<string>();
  for (const [, name, type] of page.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    names.add(name!);
    if (type === 'histogram') for (const end of ['bucket', 'sum', 'count']) names.add(`${name}_${end}`);
  }
  return names;
}

/** The value of the series whose label pairs are all among the given ones; undefined when there is none. */
export function valueOf(page: string, name: string, labels: { [label: string]: string } = {}): number | undefined {
  for (const [, found, pairs = '', value] of page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    if (found !== name) continue;
    if (Object.entries(labels).every(([label, text]) => pairs.includes(`${label}="${text}"`))) return Number(value);
  }
  return undefined;
}
