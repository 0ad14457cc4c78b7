/** Names a DKIM key. */
export interface Selector {
  domain: string;
  selector: string;
  /** True if mail needs it no more: its key may be gone. Default false. (rules, domain-checks/dkim-keys) */
  isRetired?: boolean;
}

/** DKIM only: the key of one pair. */
export interface DkimKeyFact extends Selector {
  /** Stored with the check: its values never change. */
  kind: 'absent' | 'revoked' | 'unusable' | 'rsa' | 'ed25519' | 'unconfirmed';
  /** RSA keys only. */
  bits?: number;
}
