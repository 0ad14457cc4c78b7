import { findEvidence } from '@dmarc-ledger/facts';
import {
  type CheckedDomain,
  findCheckedDomain,
  findKnownSelectors,
  saveChecks,
  saveEvidence,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import {
  aprfNames,
  checks,
  readKeptEvidence,
  verifyAprf,
  verifyDmarc,
  verifyTlsRpt,
  walkDmarc,
  type Ask,
  type CheckContext,
  type FetchedPolicy,
  type Finding,
  type Verification,
} from '@dmarc-ledger/dns-records';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import { throwIfEnding } from '../interruption.ts';
import { addDays, dayOf } from '@dmarc-ledger/vocabulary';
import { askWithin } from './ask-within.ts';
import { checkSendingNames } from './check-sending-names.ts';
import { readEvidence } from './read-evidence.ts';
import { markRetired } from './mark-retired.ts';
import { needsSecondLook } from './second-look.ts';
import { checkRow, outcomeOf, settle, stateSubjects, type StateSubject } from './settle-checks.ts';

export interface CheckNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
  /** Opens the queries for one domain; they end when the signal aborts. */
  ask: (signal: AbortSignal) => Ask;
  now?: () => Date;
  /** Aborts when no time is left; then nothing of an unfinished check is kept. */
  ending?: AbortSignal | undefined;
  limits?: CheckLimits;
  /** Clears the cache, so that no earlier fetch is reused in this check. */
  isAnew?: boolean;
}

/** Milliseconds. */
interface CheckLimits {
  total: number;
  protocol: number;
  /** For what is asked last, of a domain about which nothing was found out before. */
  silent: number;
}

/** The most selectors whose keys are asked for. */
const SELECTORS = 20;
/** Names below the domain that sent mail within so many days. (rules, enforcement/names-that-do-not-exist) */
const NAME_DAYS = 90;
/** The most time that one domain may take, whatever it publishes, and that parts of its check may take. */
const LIMITS: CheckLimits = { total: 60_000, protocol: 20_000, silent: 1_000 };

/**
 * Checks what a domain publishes, stores the findings, and schedules the next check. Running it again is safe.
 * @throws {QueueError} `job_interrupted` when it had to end early.
 */
export async function checkDomain(
  needs: CheckNeeds,
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  const { database, organizationalDomain, now: clock = () => new Date(), limits = LIMITS, ending } = needs;
  const domain = await findCheckedDomain(database.db, orgId, domainId);
  if (!domain) return; // no longer monitored
  const now = clock();
  const today = dayOf(Math.floor(now.getTime() / 1_000));
  const known = await findKnownSelectors(database.db, orgId, domainId, { today, limit: SELECTORS });
  const before = readKeptEvidence(await findEvidence(database.db, orgId, domainId, ['spf_tree', 'dkim_keys']));
  const selectors = await markRetired(database.db, { orgId, domainId, today }, known, before.dkim_keys?.body ?? []);
  const context: CheckContext = {
    domain: domain.name,
    organizationalDomain: organizationalDomain(domain.name) ?? domain.name,
    ours: domain.reportAddresses,
    selectors,
    hasMail: domain.hasMail,
    now,
    mtaSts: keptPolicy(domain, needs.isAnew),
  };
  const timeout = AbortSignal.timeout(limits.total);
  const total = ending ? AbortSignal.any([timeout, ending]) : timeout;
  const all = needs.ask(total);
  const forOne = (most = limits.protocol) => askWithin(all, AbortSignal.any([total, AbortSignal.timeout(most)]));
  const [seen, mx, findings] = await Promise.all([
    verify(forOne(), context),
    lookAtMx(forOne(), domain.name),
    Promise.all(
      checks.map(async (check) => ({ subject: check.protocol, finding: await check.run(forOne(), context) })),
    ),
  ]);
  const most = findings.every(({ finding }) => finding.status === 'unknown') ? limits.silent : limits.protocol;
  // after the checks, because these have asked some of the names already, and show whether anything answers
  const names = await checkSendingNames(database.db, forOne(most), {
    orgId,
    domainId,
    since: addDays(today, -NAME_DAYS),
  });
  const inheritedFrom = findings.find(({ subject }) => subject === 'dmarc')?.finding.inheritedFrom;
  const evidence = await readEvidence(forOne(most), { ...context, inheritedFrom }, before);
  throwIfEnding(ending, `The check of ${domain.name} was not finished.`);
  const states = stateSubjects.map((subject) => settle(domain, subject, seen[subject], now));
  const rows = [
    checkRow(domain, 'mx', mx, now),
    ...(names ? [checkRow(domain, 'subdomains', names, now)] : []),
    ...states.map(({ row }) => row),
    ...findings.map(({ subject, finding }) => checkRow(domain, subject, finding, now)),
  ];
  const isDoubtful = rows.some((row) => needsSecondLook(domain.checks.get(row.subject), row));
  const outcome = outcomeOf(domain, states, { seen: seen.dmarc_state, isDoubtful, now });
  await transact(database, async (session) => {
    const isNewest = await saveChecks(session, { orgId, domainId }, rows, outcome);
    if (isNewest) await saveEvidence(session.db, { orgId, domainId }, evidence, now);
  });
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

function keptPolicy({ checks }: CheckedDomain, isStale = false): FetchedPolicy | undefined {
  const kept = checks.get('mta_sts')?.kept as FetchedPolicy | null | undefined; // written from one, and by nothing else
  return kept ? { ...kept, ...(isStale && { isStale }) } : undefined;
}

/** The servers that receive the domain's mail, which other findings are judged by. */
async function lookAtMx(ask: Ask, domain: string): Promise<Finding> {
  const servers = await ask.mailServers(domain);
  if (servers.kind === 'unconfirmed')
    return { status: 'unknown', details: servers.reason, hasRecord: false, isPartial: true };
  const hosts = servers.kind === 'found' ? servers.values.map(({ host }) => host).filter((host) => host !== '') : [];
  return { status: 'ok', details: '', hasRecord: hosts.length > 0, records: hosts.toSorted() };
}
