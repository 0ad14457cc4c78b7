import type { Caching, ResponseCaches } from '@dmarc-ledger/api/answers';
import type { Reads } from '@dmarc-ledger/schema';
import type { IdentityProvider, IdentityProviderOptions } from '../identity/identity-provider.ts';

/** For the log: who tried to sign in, or to prove who they are with their present password, how, and from where. */
interface SignInAttempt {
  outcome: 'signed_in' | 'refused' | 'limited' | 'link_asked';
  by: string;
  email: string;
  address: string;
  /** Why an attempt at the identity provider was refused. */
  reason?: string;
}

/** For the log: who opened which raw bytes. */
interface RawRead {
  email: string;
  orgId: string;
  what: 'report' | 'delivery';
  /** As people see it. */
  id: string;
}

export interface WebOptions {
  /** Connections that see one organization at a time, with the rights of the pages' role. */
  reads: Reads;
  /** The same for expensive reads, so that other pages never wait for them. */
  heavyReads: Reads;
  caching?: Caching | undefined;
  /** Where people reach this server, such as `https://dmarc.example`. Unset: as the request says. */
  appUrl?: string | undefined;
  /** Where uploads are sent on to, such as `http://ingester:8081`. Unset: pages offer no upload. */
  ingestUrl?: string | undefined;
  /** Where people may sign in instead of with a password. */
  identityProvider?: IdentityProviderOptions | undefined;
  /** Called for an error that is a fault of this server, with the id that the page shows. */
  onFault: (error: unknown, requestId: string) => void;
  /** Called when somebody signs in, and when an attempt fails, also one with the present password. */
  onSignIn: (attempt: SignInAttempt) => void;
  /** Called when somebody opens raw bytes. */
  onRawRead?: (read: RawRead) => void;
  now?: () => Date;
  /** The most open connections. Unset: 1,000. */
  connections?: number;
  /** How long a form without files may take to arrive. Unset: 15 seconds. */
  bodyMs?: number;
  /** How long a connection may be silent in both directions during a request. Unset: 20 seconds. */
  silenceMs?: number;
}

/** What the routes of the pages share. */
export interface WebNeeds extends Required<
  Pick<WebOptions, 'reads' | 'heavyReads' | 'onFault' | 'onSignIn' | 'onRawRead' | 'now'>
> {
  appUrl: string | undefined;
  ingestUrl: string | undefined;
  identityProvider: IdentityProvider | undefined;
  caches: ResponseCaches;
}
