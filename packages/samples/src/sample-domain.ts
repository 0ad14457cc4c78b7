import type { SampleHost } from './hosts.ts';
import type { Protocol } from '@dmarc-ledger/vocabulary';
import type { SampleDomain } from './facts.ts';
import type { Stream } from './streams.ts';
import type { SampleZone } from './zone.ts';

/** A domain of the samples: its policy, the mail sent in its name, what it publishes, and who sends. */
export interface SampleStory {
  name: string;
  /** The published policy on a day of the period. */
  policyOn: (day: number) => Omit<SampleDomain, 'name'>;
  streams: Stream[];
  zone: SampleZone;
  hosts: SampleHost[];
  /** How many of the reporters, the largest first, receive mail of it. Default: all. */
  reporters?: number;
  /** The number of days at the end of the period without reports. Default 0. */
  silentDays?: number;
  /** True: only reports name it; the organization has not added it. */
  isFound?: boolean;
  /** What earlier checks of its records found. */
  history?: SampleFinding[];
}

/** What a check of the DNS found on a day of the past. */
export interface SampleFinding {
  daysAgo: number;
  subject: Protocol;
  status: 'ok' | 'warning' | 'error';
  details: string;
  records: string[];
}
