/**
 * Returns the eight groups of an IPv6 address, four hex digits each. The text must be a valid address (RFC 4291, 2.2).
 */
export function groupsOf(ip: string): string[] {
  const [head = '', tail] = dotsAsGroups(ip.toLowerCase()).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
}

/** `::ffff:192.0.2.1` ends in the four octets of an IPv4 address: two groups. */
function dotsAsGroups(ip: string): string {
  return ip.replace(/[\d.]+\.[\d.]+$/, (dots) => {
    const [a = 0, b = 0, c = 0, d = 0] = dots.split('.').map(Number);
    return `${pair(a, b)}:${pair(c, d)}`;
  });
}

function pair(high: number, low: number): string {
  return ((high << 8) | low).toString(16);
}
