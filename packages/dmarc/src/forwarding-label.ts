const FORWARDING = /^(?:srs\d*|fwd|forward\w*|relay|lists?|listserv|mailman|redirect|alias)[-0-9]*$/i;

/** True if the leading label of a domain name shows that the host relays mail, as in `lists.example.net`. */
export function isForwardingLabel(domain: string): boolean {
  const label = domain.split('.', 1)[0]!;
  return label.length <= 63 && FORWARDING.test(label);
}
