/** Bytes of a line, and of all that a mail server says before TLS. (RFC 5321, 4.5.3.1.5 asks for 512 of a line) */
export const MAX_LINE = 2_048;
export const MAX_TALK = 16 * 1024;
/** Certificates of a chain, and addresses of a mail server, that are looked at. */
export const MAX_CHAIN = 10;
export const MAX_ADDRESSES = 4;

/** Memory for what servers have shown. */
export const KEPT = { hosts: 10_000, bytes: 16 * 1024 * 1024, ms: 3_600_000, recentMs: 60_000 };

export interface SmtpTimes {
  /** Milliseconds to connect, to each reply and the handshake, and in all. */
  connectMs: number;
  replyMs: number;
  totalMs: number;
}

/** In all less than a check of one protocol may take: names are asked for before. */
export const usualTimes: SmtpTimes = { connectMs: 5_000, replyMs: 6_000, totalMs: 12_000 };
