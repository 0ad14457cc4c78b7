/** The facts that a reputation service has about an address. */
export interface ReputationFacts {
  /** 0 to 100. */
  abuseScore: number;
  abuseReports: number;
  /** The kinds of abuse reported, each once, in alphabetical order. */
  abuseCategories: readonly string[];
  abuseLastReported?: Date;
  usageType?: string;
  isp?: string;
  countryCode?: string;
  country?: string;
  /** Host names according to the service. They prove nothing, so only the answers of the DNS are stored. */
  hostNames: readonly string[];
  /** Whether the service vouches for the address. Not stored: the score decides. */
  whitelisted: boolean;
  tor: boolean;
}

/**
 * - `found`: facts.
 * - `not_available`: nothing is known, and asking again soon does not help: not a public address, or one that the
 *   service does not rate.
 * - `not_configured`: there is no service to ask.
 * - `refused`: no calls before this instant: the budget is used up, or the service said so.
 * - `failed`: the lookup failed; a retry may help.
 */
export type ReputationFact =
  | { outcome: 'found'; facts: ReputationFacts }
  | { outcome: 'not_available'; reason: string }
  | { outcome: 'not_configured' }
  | { outcome: 'refused'; until: Date; reason: string }
  | { outcome: 'failed'; failure: string };

/** A service that rates addresses. It receives only the address. */
export interface ReputationProvider {
  readonly name: string;
  lookUp(ip: string): Promise<ReputationFact>;
}

/** No key is configured: a normal state. */
export const noReputation: ReputationProvider = {
  name: 'none',
  lookUp: () => Promise.resolve({ outcome: 'not_configured' }),
};
