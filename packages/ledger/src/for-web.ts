/** The part of the ledger that the pages may use: who signs in, and what people change on pages. */
export { AccessError } from './access/errors.ts';
export { createKey, listKeys, revokeKey } from './access/keys.ts';
export { addUser, listUsers, removeUser } from './access/users.ts';
export {
  listSubscriptions,
  subscribe,
  unsubscribe,
  unsubscribeByLink,
  type Subscription,
} from './digests/subscriptions.ts';
export { addDomain } from './domains/monitored.ts';
export { acknowledgeEvent } from './events/acknowledge-event.ts';
export { decideSender, withdrawDecision } from './senders/decide-sender.ts';
export { admitAttempt, admitConnection, admitInvitation, admitMail } from './people/attempts.ts';
export { createTicket } from './uploads/tickets.ts';
export {
  admitIdentity,
  findIdentity,
  removeIdentity,
  type Identity,
  type IdentityRefusal,
} from './people/identities.ts';
export { findLink, takeLink } from './people/links.ts';
export { holdsSamples, ownOrganization } from './people/own-organization.ts';
export { findMemberships, findPerson, setPassword, type Membership, type Person } from './people/people.ts';
export {
  beginSession,
  chooseOrganization,
  endSession,
  findSession,
  keepOrganization,
  listSessions,
  type ActiveSession,
} from './people/sessions.ts';
