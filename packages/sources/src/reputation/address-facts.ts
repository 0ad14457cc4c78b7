import type { BlocklistVerdict } from '../blocklists/verdict.ts';
import type { IdentifiedSender } from '../senders/identify-sender.ts';

/** The name of an address. Null: looked up, and there is none. `confirmed` null: could not be found out. */
export type PtrFact = { name: string; confirmed: boolean | null; generic: boolean } | null;

/** What is known of an address when it is judged. A fact that was not looked up is absent, and never a guess. */
export interface AddressFacts {
  /** 0 to 100; negative: never scored. */
  abuseScore: number;
  /** Reports of abuse that stand behind the score. */
  abuseReports?: number;
  /** Names of the kinds of abuse reported. */
  abuseCategories?: readonly string[];
  /** As the reputation service words it: `Data Center/Web Hosting/Transit`. */
  usageType?: string;
  /** The reputation service says: a Tor exit. */
  tor?: boolean;
  ptr?: PtrFact;
  sender?: IdentifiedSender;
  blocklists?: BlocklistVerdict;
}
