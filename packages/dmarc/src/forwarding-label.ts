const FORWARDING = /^(?:srs\d*|fwd|forward\w*|relay|lists?|listserv|mailman|redirect|alias)[-0-9]*$/i;

/** True when the leading label of a domain name says that the host relays mail, as `lists.example.net` does. */
export function isForwardingLabel(domain: string): boolean {
  const label = domain.split('.', 1)[0]!;
  return label.length <= 63 && FORWARDING.test(label);
}
