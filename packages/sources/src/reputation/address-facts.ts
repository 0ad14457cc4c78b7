import type { BlocklistVerdict } from '../blocklists/verdict.ts';
import type { IdentifiedSender } from '../senders/identify-sender.ts';

/** The host name of an address. Null: looked up, and there is none. `confirmed` null: the lookup failed. */
export type PtrFact = { name: string; confirmed: boolean | null; generic: boolean } | null;

/** The facts about an address. A fact that was not looked up is absent. */
export interface AddressFacts {
  /** 0 to 100; negative: never scored. */
  abuseScore: number;
  /** The reports of abuse behind the score. */
  abuseReports?: number;
  /** Names of the kinds of abuse reported. */
  abuseCategories?: readonly string[];
  /** In the reputation service's words: `Data Center/Web Hosting/Transit`. */
  usageType?: string;
  /** The reputation service reports a Tor exit. */
  tor?: boolean;
  ptr?: PtrFact;
  sender?: IdentifiedSender;
  blocklists?: BlocklistVerdict;
}
