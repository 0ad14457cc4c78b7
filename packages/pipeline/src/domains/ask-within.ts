import type { Ask, Found, Validated } from '@dmarc-ledger/dns-records';
import { withinSignal } from '../within-signal.ts';

const OVER = 'no time is left';
const unconfirmed = { kind: 'unconfirmed', reason: OVER } as const;
const insecure: Validated<never> = { found: unconfirmed, isSecure: false };

/**
 * The same queries, which wait no longer than the signal allows. An answer that has not arrived by then is unconfirmed.
 */
export function askWithin(ask: Ask, signal: AbortSignal): Ask {
  const found = <Value>(asked: () => Promise<Found<Value>>) =>
    withinSignal<Found<Value>, Found<Value>>(asked, unconfirmed, signal);
  return {
    isValidating: ask.isValidating,
    text: (name) => found(() => ask.text(name)),
    mailServers: (name) => found(() => ask.mailServers(name)),
    addresses: (name) => found(() => ask.addresses(name)),
    isNameAbsent: (name) => withinSignal(() => ask.isNameAbsent(name), false, signal),
    validatedMailServers: (name) => withinSignal(() => ask.validatedMailServers(name), insecure, signal),
    tlsa: (name) => withinSignal(() => ask.tlsa(name), insecure, signal),
    fetch: (host, path, options) =>
      withinSignal(() => ask.fetch(host, path, options), { kind: 'silent', reason: OVER }, signal),
    presented: (host, options) =>
      withinSignal(() => ask.presented(host, options), { kind: 'unknown', reason: OVER }, signal),
  };
}
