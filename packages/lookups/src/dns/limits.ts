/** Bytes of an answer over TCP, and what we say we take over UDP (DNS flag day 2020). */
export const MAX_RESPONSE = 16 * 1024;
export const UDP_PAYLOAD = 1232;

export const MAX_ALIASES = 8;
export const MAX_NAME = 253;
export const MAX_LABEL = 63;
/** Octets of a name on the wire (RFC 1035, 2.3.4). */
export const MAX_WIRE_NAME = 255;
/** Records of an answer; more is no answer to any question of ours. */
export const MAX_RECORDS = 500;

/** Seconds for which facts are kept. */
export const POSITIVE_TTL = { least: 60, most: 3_600 };
export const NEGATIVE_TTL = { unknown: 60, most: 900 };
export const FAILURE_TTL = { first: 30, most: 600 };

/** Memory for facts that are kept, whatever their number. */
export const CACHE_BYTES = 64 * 1024 * 1024;
