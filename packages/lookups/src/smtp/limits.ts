/** Bytes of a line, and of everything a mail server sends before TLS. (RFC 5321, 4.5.3.1.5 asks for 512 of a line) */
export const MAX_LINE = 2_048;
export const MAX_TALK = 16 * 1024;
/** The most certificates of a chain, and addresses of a mail server. */
export const MAX_CHAIN = 10;
export const MAX_ADDRESSES = 4;

/** The cache of servers' certificates. */
export const KEPT = { hosts: 10_000, bytes: 16 * 1024 * 1024, ms: 3_600_000, recentMs: 60_000 };

export interface SmtpTimes {
  /** Milliseconds to connect, for each reply and the handshake, and in total. */
  connectMs: number;
  replyMs: number;
  totalMs: number;
}

/** Less in total than the time limit of one protocol's check, as names are resolved first. */
export const usualTimes: SmtpTimes = { connectMs: 5_000, replyMs: 6_000, totalMs: 12_000 };
