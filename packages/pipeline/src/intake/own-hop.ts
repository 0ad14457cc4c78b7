/**
 * A client that Postfix or Sendmail names by its address: after the name that it gave itself, which anybody can choose.
 * No other address may be in the field.
 */
const FROM_LOOPBACK =
  /^from\s+\S+\s+\((?:\S+\s+)?\[(?:127(?:\.\d{1,3}){3}|(?:IPv6:)?(?:::1|(?:0:){7}1))\]\)\s+by\s[^[]*$/i;
/**
 * A delivery to a mailbox, as Cyrus, Dovecot and Fastmail's proxy write it: LMTP is not for strangers. (RFC 2033, 5) No
 * other `by` may follow, as a client can give itself a name of several words.
 */
const BY_LMTP =
  /^from\s+\S+\s+(?:\([^()]*\)\s+)?by\s+\S+\s+(?:\([^()]*\)\s+)?(?:with\s+LMTPS?A?\b|\(LMTPProxy\))(?!.*\sby\s)/is;
/** Postfix, about what a program of the same host handed in. */
const FROM_PROGRAM = /^by\s+\S+\s+\(Postfix, from userid \d+\)/i;

/**
 * Whether a Received field is that of a hop that no stranger reaches, from the server's own host or to a mailbox: it
 * shows that another server had received the mail from the sender before. (RFC 5321, 4.4)
 */
export function isOwnHop(received: string): boolean {
  return [FROM_LOOPBACK, BY_LMTP, FROM_PROGRAM].some((form) => form.test(received));
}
