/** Instants are in epoch seconds. */
export interface TlsFacts {
  reporterName: string | null;
  contact: string | null;
  reportId: string | null;
  begin: number | null;
  end: number | null;
  policies: readonly TlsPolicyFacts[];
}

export interface TlsPolicyFacts {
  type: string | null;
  lines: string[];
  domain: string | null;
  mxHosts: string[];
  successes: number | null;
  failures: number | null;
  details: readonly TlsFailureFacts[];
}

interface TlsFailureFacts {
  resultType: string | null;
  sendingIp: string | null;
  receivingIp: string | null;
  receivingHost: string | null;
  receivingHelo: string | null;
  sessions: number | null;
  reasonCode: string | null;
  information: string | null;
}

export interface AprfFacts {
  source: string;
  dkimDomain: string;
  dkimSelector: string;
  version: string;
  sdiUsed: string;
  extraInfo: string;
  contact: string | null;
  day: string;
  begin: number;
  end: number | null;
  rows: readonly { segment: string[]; classification: AprfEntryFacts[] | null; engagement: AprfEntryFacts[] | null }[];
}

export interface AprfEntryFacts {
  category: string;
  value: number;
}

export interface FailureFacts {
  version: string | null;
  userAgent: string | null;
  reportingMta: string | null;
  sourceIp: string | null;
  reportedDomain: string | null;
  arrivedAt: number | null;
  incidents: number;
  authFailure: string | null;
  identityAlignment: readonly string[] | null;
  deliveryResult: string | null;
  dkimDomains: readonly string[];
  dkimSelector: string | null;
  dkimIdentityDomain: string | null;
  mailFromDomain: string | null;
  rcptToDomains: readonly string[];
  authenticationResults: string | null;
}
