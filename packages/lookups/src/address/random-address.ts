import { randomBytes } from 'node:crypto';
import { isPublicAddress } from './public-address.ts';

/** Returns a random public address, which a working blocklist does not list three times in a row. */
export function randomPublicAddress(family: 'v4' | 'v6'): string {
  for (;;) {
    const address = family === 'v4' ? randomIpv4() : randomIpv6();
    if (isPublicAddress(address)) return address;
  }
}

function randomIpv4(): string {
  return randomBytes(4).join('.');
}

/** In 2000::/3, the allocated space. */
function randomIpv6(): string {
  const bytes = randomBytes(16);
  bytes[0] = 0x20 | (bytes[0]! & 0x1f);
  return bytes.toString('hex').match(/.{4}/g)!.join(':');
}
