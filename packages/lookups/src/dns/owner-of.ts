/** The labels of a network that is delegated as one, with those of the zone above: /24 and /48. */
const REVERSE = [
  { zone: '.in-addr.arpa', labels: 5 },
  { zone: '.ip6.arpa', labels: 14 },
];

/**
 * Returns the owner of a name, on whose servers the answer depends: its organizational domain, whatever zones are
 * delegated below it, or the network of a reverse name. (rules, lookups/turns-of-owners)
 */
export function ownerOf(name: string, organizationalDomain: (name: string) => string): string {
  const reverse = REVERSE.find(({ zone }) => name.endsWith(zone));
  return reverse ? lastLabels(name, reverse.labels) : organizationalDomain(name);
}

/** The last labels of a name. */
export function lastLabels(name: string, count: number): string {
  return name.split('.').slice(-count).join('.');
}
