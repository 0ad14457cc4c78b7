/** Bytes of an answer over TCP, and the size we announce for UDP (DNS flag day 2020). */
export const MAX_RESPONSE = 16 * 1024;
export const UDP_PAYLOAD = 1232;

export const MAX_ALIASES = 8;
export const MAX_NAME = 253;
export const MAX_LABEL = 63;
/** Octets of a name on the wire (RFC 1035, 2.3.4). */
export const MAX_WIRE_NAME = 255;
/** Records of an answer; more do not answer any of our questions. */
export const MAX_RECORDS = 500;

/** Seconds for which facts are cached. */
export const POSITIVE_TTL = { least: 60, most: 3_600 };
export const NEGATIVE_TTL = { unknown: 60, most: 900 };
export const FAILURE_TTL = { first: 30, most: 600 };

/** Memory for cached facts, whatever their number. */
export const CACHE_BYTES = 64 * 1024 * 1024;
