/** Names a DKIM key. */
export interface Selector {
  domain: string;
  selector: string;
  /** True if no mail of the last 7 days carries it: its key may be gone. Default false. */
  isRetired?: boolean;
}

/** DKIM only: the key of one pair. */
export interface DkimKeyFact extends Selector {
  /** Stored with the check: its values never change. */
  kind: 'absent' | 'revoked' | 'unusable' | 'rsa' | 'ed25519' | 'unconfirmed';
  /** RSA keys only. */
  bits?: number;
}
