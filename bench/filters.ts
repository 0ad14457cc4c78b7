import { daysAgo, type Named } from './named.ts';

/** The filters of the list of reports, alone and together. */
export function reportFilters({ domain, small, address, rare, reportId }: Named): string[] {
  const words = ['mail', 'mail.example', small, reportId, 'nothing-like-it'];
  return [
    '',
    `domain=${domain}`,
    'domain=brand-1',
    'org=mail',
    'result=pass',
    'result=fail',
    `from=${daysAgo(2)}`,
    `from=${daysAgo(180)}&to=${daysAgo(150)}`,
    `to=${daysAgo(300)}`,
    `source_ip=${address}`,
    `source_ip=${rare}`,
    ...words.map((word) => `search=${word}`),
    `domain=${domain}&result=fail`,
    `domain=${small}&from=${daysAgo(90)}`,
    `result=pass&from=${daysAgo(90)}`,
    `org=mail&from=${daysAgo(90)}`,
    `org=mail&domain=${domain}&result=pass`,
    'search=mail&result=fail',
    `source_ip=${address}&from=${daysAgo(90)}`,
    `source_ip=${address}&domain=${domain}&result=fail`,
  ];
}

/** The filters of the list of sources, alone and together. */
export function sourceFilters({ domain, small, address, network }: Named): string[] {
  const words = [address, network, '10.', 'brand-1', 'google', 'nothing-like-it'];
  return [
    '',
    'has_failures=true',
    `domain=${domain}`,
    `domain=${small}`,
    'reputation=clean',
    'reputation=unknown',
    ...words.map((word) => `search=${word}`),
    `domain=${domain}&has_failures=true`,
    `domain=${domain}&search=10.`,
    'has_failures=true&search=10.',
  ];
}
