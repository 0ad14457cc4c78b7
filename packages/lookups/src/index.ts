export { isPublicAddress } from './address/public-address.ts';
export { randomPublicAddress } from './address/random-address.ts';
export { reversedLabels, reverseName } from './address/reverse-name.ts';
export { askAuthorities } from './authority/ask-authorities.ts';
export type { AuthorityFact } from './authority/authority-fact.ts';
export type { ServerSearch } from './authority/find-servers.ts';
export { askCanary, askZone, type ZoneFact, type ZoneOptions } from './blocklists/ask-zone.ts';
export { ProviderBudgets, providerOf } from './blocklists/provider-budgets.ts';
export { openZoneAsker, type ZoneAsker, type ZoneAskerOptions } from './blocklists/zone-asker.ts';
export type { DnsClientOptions, QueryEvent } from './dns/client-options.ts';
export { openDnsClient, type AskOptions, type DnsClient } from './dns/dns-client.ts';
export {
  isSettled,
  type AnswerOrigin,
  type DnsAbsence,
  type DnsAlias,
  type DnsAnswer,
  type DnsFact,
  type DnsFailure,
  type DnsFailureCode,
  type DnsReferral,
} from './dns/dns-fact.ts';
export { isTooLong } from './dns/encodable-name.ts';
export type { GateLimits } from './dns/gate.ts';
export { joinText, type DnsRecord, type RecordData, type RecordType } from './dns/record.ts';
export { parseServerAddress, serverText, systemServers, type ServerAddress } from './dns/server-address.ts';
export { openGeo, type Geo, type GeoOptions, type GeoSource } from './geo/geo.ts';
export type { Network, Place } from './geo/place.ts';
export type { FetchFact, RejectionReason, UnreachableReason } from './https/fetch-fact.ts';
export { guardedFetch, type GuardedFetch, type GuardedFetchOptions } from './https/guarded-fetch.ts';
export { openMailer, type Hold, type Mail, type Mailer, type MailerOptions, type MailFact } from './mail/mailer.ts';
export { abuseCategoryName } from './reputation/abuse-categories.ts';
export { abuseIpdb, type AbuseIpdbOptions } from './reputation/abuse-ipdb.ts';
export { dailyBudget, type CallBudget } from './reputation/daily-budget.ts';
export {
  noReputation,
  type ReputationFact,
  type ReputationFacts,
  type ReputationProvider,
} from './reputation/reputation-provider.ts';
export { lookUpReverse, type HostName, type ReverseFact } from './reverse-dns/look-up-reverse.ts';
export type { CertificateChain, ProbeFact, ProbeFailure } from './smtp/probe-fact.ts';
export { smtpProbe, type SmtpProbe, type SmtpProbeOptions } from './smtp/smtp-probe.ts';
export { postWebhook, type WebhookFact, type WebhookMessage, type WebhookOptions } from './webhook/post-webhook.ts';
export { isWebhookSecret, newWebhookSecret, signWebhook } from './webhook/signature.ts';
export { webhookUrl } from './webhook/webhook-url.ts';
