import {
  findCheckedDomain,
  findSelectors,
  saveChecks,
  transact,
  type CheckedDomain,
  type Database,
  type NewCheck,
} from '@dmarc-ledger/db';
import {
  aprfNames,
  checks,
  settleState,
  verifyAprf,
  verifyDmarc,
  verifyTlsRpt,
  walkDmarc,
  type Ask,
  type CheckContext,
  type Finding,
  type KeptState,
  type Verification,
  type VerificationState,
} from '@dmarc-ledger/dns-records';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import { addDays, dayOf } from '@dmarc-ledger/vocabulary';
import { askWithin } from './ask-within.ts';
import { nextCheck } from './next-check.ts';

export interface CheckNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
  /** Who asks, for one domain; gives up when the signal says so. */
  ask: (signal: AbortSignal) => Ask;
  now?: () => Date;
  limits?: CheckLimits;
}

/** Milliseconds. */
export interface CheckLimits {
  total: number;
  protocol: number;
}

const SELECTORS = { days: 90, limit: 20 };
/** One domain costs no more than this, whatever it publishes, nor any one protocol of it. */
const LIMITS: CheckLimits = { total: 60_000, protocol: 20_000 };

const stateSubjects = ['dmarc_state', 'forensic_state', 'tlsrpt_state', 'aprf_state'] as const;
type StateSubject = (typeof stateSubjects)[number];

/** Looks at what a domain publishes, keeps what was found, and says when to look again. Again does no harm. */
export async function checkDomain(
  needs: CheckNeeds,
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  const { database, organizationalDomain, now: clock = () => new Date(), limits = LIMITS } = needs;
  const domain = await findCheckedDomain(database.db, orgId, domainId);
  if (!domain) return; // no longer monitored
  const now = clock();
  const from = addDays(dayOf(Math.floor(now.getTime() / 1_000)), -SELECTORS.days);
  const selectors = await findSelectors(database.db, orgId, domainId, { from, limit: SELECTORS.limit });
  const context: CheckContext = {
    domain: domain.name,
    organizationalDomain: organizationalDomain(domain.name) ?? domain.name,
    ours: domain.reportAddresses,
    selectors,
    now,
  };
  const total = AbortSignal.timeout(limits.total);
  const all = needs.ask(total);
  const forOne = () => askWithin(all, AbortSignal.any([total, AbortSignal.timeout(limits.protocol)]));
  const [seen, mx, findings] = await Promise.all([
    verify(forOne(), context),
    lookAtMx(forOne(), domain.name),
    Promise.all(
      checks.map(async (check) => ({ subject: check.protocol, finding: await check.run(forOne(), context) })),
    ),
  ]);
  const states = stateSubjects.map((subject) => settle(domain, subject, seen[subject], now));
  const rows = [
    checkRow('mx', mx, now),
    ...states.map(({ row }) => row),
    ...findings.map(({ subject, finding }) => checkRow(subject, finding, now)),
  ];
  const outcome = outcomeOf(domain, states, seen.dmarc_state, now);
  await transact(database, (session) => saveChecks(session, orgId, domainId, rows, outcome));
}

async function verify(
  ask: Ask,
  { domain, ours, selectors }: CheckContext,
): Promise<Record<StateSubject, Verification>> {
  const [walk, tls, aprf] = await Promise.all([
    walkDmarc(domain, ask.text),
    ask.text(`_smtp._tls.${domain}`),
    Promise.all(aprfNames(domain, selectors).map((name) => ask.text(name))),
  ]);
  return {
    dmarc_state: verifyDmarc(domain, walk, 'rua', ours),
    forensic_state: verifyDmarc(domain, walk, 'ruf', ours),
    tlsrpt_state: verifyTlsRpt(tls, ours),
    aprf_state: verifyAprf(aprf, ours),
  };
}

/** Which servers take the domain's mail: what other findings are weighed by. */
async function lookAtMx(ask: Ask, domain: string): Promise<Finding> {
  const servers = await ask.mailServers(domain);
  if (servers.kind === 'unconfirmed') return { status: 'unknown', details: servers.reason, hasRecord: false };
  const hosts = servers.kind === 'found' ? servers.values.map(({ host }) => host).filter((host) => host !== '') : [];
  return { status: 'ok', details: '', hasRecord: hosts.length > 0, records: hosts.toSorted() };
}

interface SettledState {
  subject: StateSubject;
  kept: KeptState;
  row: NewCheck;
}

function settle(domain: CheckedDomain, subject: StateSubject, seen: Verification, now: Date): SettledState {
  const before = domain.checks.get(subject);
  const kept = settleState(
    {
      state: (before?.status ?? 'pending') as VerificationState, // written from one, and by nothing else
      verifiedAt: before?.verified_at ?? null,
      failures: before?.failures ?? 0,
      failedAt: before?.failed_at ?? null,
    },
    seen.state,
    now,
  );
  const isSeen = seen.state !== 'unconfirmed';
  const row: NewCheck = {
    subject,
    status: kept.state,
    details: '',
    has_record: isSeen ? seen.record !== null : (before?.has_record ?? false),
    records: isSeen ? (seen.record?.split('\n') ?? []) : (before?.records ?? []),
    notes: [],
    inherited_from: isSeen ? seen.inheritedFrom : (before?.inherited_from ?? null),
    policy: null,
    checked_at: now,
    verified_at: kept.verifiedAt,
    failures: kept.failures,
    failed_at: kept.failedAt,
  };
  return { subject, kept, row };
}

function checkRow(
  subject: string,
  { status, details, hasRecord, records, notes, inheritedFrom, policy }: Finding,
  now: Date,
): NewCheck {
  return {
    subject,
    status,
    details,
    has_record: hasRecord,
    records: [...(records ?? [])],
    notes: [...(notes ?? [])],
    inherited_from: inheritedFrom ?? null,
    policy: policy ?? null,
    checked_at: now,
    verified_at: null,
    failures: 0,
    failed_at: null,
  };
}

function outcomeOf(domain: CheckedDomain, states: readonly SettledState[], seen: Verification, now: Date) {
  const of = (subject: StateSubject) => states.find((state) => state.subject === subject)!;
  const dmarc = of('dmarc_state');
  const failures = seen.state === 'unconfirmed' ? domain.failures + 1 : 0;
  // what was verified stands while nothing is known: with whose record it was
  const isStanding = dmarc.kept.verifiedAt !== null;
  const inheritedFrom = isStanding ? (dmarc.row.inherited_from ?? null) : null;
  const { state } = dmarc.kept;
  return {
    states: {
      dmarc_state: state,
      forensic_state: of('forensic_state').kept.state,
      tlsrpt_state: of('tlsrpt_state').kept.state,
      aprf_state: of('aprf_state').kept.state,
    },
    verifiedAt: dmarc.kept.verifiedAt,
    verifiedSource: isStanding ? (inheritedFrom === null ? ('self' as const) : ('inherited' as const)) : null,
    inheritedFrom,
    failures,
    checkedAt: now,
    dueAt: nextCheck({ state, failures, createdAt: domain.createdAt, now, chance: Math.random() }),
  };
}
