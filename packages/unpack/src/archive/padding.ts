/** True for line ends and zeros, which relays and file systems append. */
export function isPadding(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}
