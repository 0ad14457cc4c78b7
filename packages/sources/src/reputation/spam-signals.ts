import { isNamed } from '../senders/identify-sender.ts';
import { MALICIOUS_FROM, SUSPICIOUS_FROM } from './abuse-status.ts';
import type { AddressFacts } from './address-facts.ts';
import { isHosting, isTorExit, isVpnOrProxy } from './network-use.ts';

/** A signal for or against a sender. A positive score counts against it. */
export interface SpamSignal {
  name: string;
  score: number;
  description: string;
}

type Row = readonly [name: string, score: number, holds: (facts: AddressFacts) => boolean, description: string];

const topTier = ({ blocklists }: AddressFacts) => blocklists?.topTier;

/** (rules, reputation/spam-signals) */
const rows: readonly Row[] = [
  ['BLOCKLIST_TIER_4', 5.0, (facts) => topTier(facts) === 4, 'Listed as hijacked space or malware infrastructure'],
  ['BLOCKLIST_TIER_3', 3.3, (facts) => topTier(facts) === 3, 'Listed on a widely enforced blocklist'],
  ['ABUSE_HIGH', 3.0, ({ abuseScore }) => abuseScore >= MALICIOUS_FROM, 'High abuse confidence'],
  ['TOR_EXIT', 3.0, isTorExit, 'Tor exit node'],
  ['BLOCKLIST_TIER_2', 1.5, (facts) => topTier(facts) === 2, 'Listed on a mail blocklist'],
  [
    'ABUSE_MEDIUM',
    1.5,
    ({ abuseScore }) => abuseScore >= SUSPICIOUS_FROM && abuseScore < MALICIOUS_FROM,
    'Some abuse reports',
  ],
  ['RDNS_NONE', 1.3, ({ ptr }) => ptr === null, 'No reverse DNS'],
  ['RDNS_DYNAMIC', 1.0, ({ ptr }) => ptr?.generic === true, 'Reverse DNS looks like a consumer connection'],
  ['FCRDNS_MISMATCH', 0.8, ({ ptr }) => ptr?.confirmed === false, 'Reverse DNS does not resolve back to the address'],
  ['HOSTING_RANGE', 0.5, (facts) => isHosting(facts) && !isNamed(facts.sender), 'Address belongs to a hosting network'],
  ['VPN_OR_PROXY', 1.0, isVpnOrProxy, 'VPN or proxy address'],
  ['BLOCKLIST_TIER_1', 0.2, (facts) => (topTier(facts) ?? 2) <= 1, 'Listed on an advisory blocklist'],
  ['FCRDNS_PASS', -0.5, ({ ptr }) => ptr?.confirmed === true && !ptr.generic, 'Reverse DNS is consistent'],
  ['KNOWN_SENDER', -1.0, ({ sender }) => sender?.strength === 'strong', 'Recognised sending service'],
];

/** Returns the signals of an address, the worst first, then by name. */
export function spamSignals(facts: AddressFacts): SpamSignal[] {
  return rows
    .filter(([, , holds]) => holds(facts))
    .map(([name, score, , description]) => ({ name, score, description }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}
