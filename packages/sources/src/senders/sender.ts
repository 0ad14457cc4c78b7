export type SenderCategory =
  | 'mailbox'
  | 'forwarder'
  | 'mailing_list'
  | 'relay'
  | 'transactional'
  | 'marketing'
  | 'crm'
  | 'helpdesk'
  | 'collaboration'
  | 'devops'
  | 'finance'
  | 'hr'
  | 'ecommerce'
  | 'survey'
  | 'events'
  | 'community'
  | 'education'
  | 'nonprofit'
  | 'government'
  | 'internal_comms'
  | 'social'
  | 'security_gateway'
  | 'security_awareness'
  | 'signature'
  | 'hosting'
  | 'cloud';

/** A sending service, as displayed. */
export interface Sender {
  /** Stable, `[a-z0-9-]+`, unique. */
  slug: string;
  name: string;
  /** Icon slug; services of one brand share it. */
  icon: string;
  category: SenderCategory;
  /** Failing mail from here is usually relayed: alias services, public lists, scanners that re-inject. */
  forwarder: boolean;
}

/** A service with the names and networks that identify it. All names are lower case, without wildcard. */
export interface SenderEntry extends Sender {
  /** Reverse DNS domains of its outbound hosts. */
  ptr_suffixes: readonly string[];
  /** `d=` and return-path domains that are its own, not its customers'. */
  dkim_domains: readonly string[];
  /** Names that customers use in `include:` or `redirect=`. */
  spf_includes: readonly string[];
  /** Autonomous systems: only a hint, as a network hosts many services. */
  asn?: readonly number[];
}
