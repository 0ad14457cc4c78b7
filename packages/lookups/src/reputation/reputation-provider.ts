/** What a reputation service says of an address. */
export interface ReputationFacts {
  /** 0 to 100. */
  abuseScore: number;
  abuseReports: number;
  /** Kinds of abuse reported, each once, in alphabetical order. */
  abuseCategories: readonly string[];
  abuseLastReported?: Date;
  usageType?: string;
  isp?: string;
  countryCode?: string;
  country?: string;
  /** Names that the service knows the host by: to be shown only once they resolve back. */
  hostNames: readonly string[];
  /** The service vouches for the address. A fact to be kept; the score decides. */
  whitelisted: boolean;
  tor: boolean;
}

/**
 * - `found`: facts.
 * - `not_available`: nothing is known and asking again soon will not help: no key, not a public address, or one that
 * the   service does not rate.
 * - `refused`: not to be asked before this instant: the budget is spent, or the service said so.
 * - `failed`: could not be found out; trying again may help.
 */
export type ReputationFact =
  | { outcome: 'found'; facts: ReputationFacts }
  | { outcome: 'not_available'; reason: string }
  | { outcome: 'refused'; until: Date; reason: string }
  | { outcome: 'failed'; failure: string };

/** A service that rates addresses. It learns the address and nothing else. */
export interface ReputationProvider {
  readonly name: string;
  lookUp(ip: string, signal?: AbortSignal): Promise<ReputationFact>;
}

/** No key is configured: a normal state. */
export const noReputation: ReputationProvider = {
  name: 'none',
  lookUp: () => Promise.resolve({ outcome: 'not_available', reason: 'no reputation service is configured' }),
};
