/** The labels of a network that is delegated to somebody, with those of the zone above: /24 and /48. */
const REVERSE = [
  { zone: '.in-addr.arpa', labels: 5 },
  { zone: '.ip6.arpa', labels: 14 },
];

/**
 * Returns the name of those who decide whether a question about this name is answered: its organizational domain,
 * whatever zones are delegated below it, or the network of a reverse name. (rules, lookups/turns-of-owners)
 */
export function ownerOf(name: string, organizationalDomain: (name: string) => string): string {
  const reverse = REVERSE.find(({ zone }) => name.endsWith(zone));
  return reverse ? lastLabels(name, reverse.labels) : organizationalDomain(name);
}

/** The last labels of a name. */
export function lastLabels(name: string, count: number): string {
  return name.split('.').slice(-count).join('.');
}
