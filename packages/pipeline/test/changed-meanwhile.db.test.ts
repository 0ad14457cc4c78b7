import { addDomain, addMailbox, planHealth, refreshEnforcementDays, removeReports } from '@dmarc-ledger/ledger';
import { findCheckChanges } from '@dmarc-ledger/queries';
import { type Database, transact } from '@dmarc-ledger/schema';
import type { Ask } from '@dmarc-ledger/dns-records';
import { findChecks } from '@dmarc-ledger/facts';
import { openSecretBox } from '@dmarc-ledger/secrets';
import { reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accessToken, lookAtOrganizations, repairRollups, type RequestToken, secretPlace } from '../src/index.ts';
import { checkDomain } from '../src/domains/check-domain.ts';
import { computeHealth } from '../src/domains/compute-health.ts';
import { BEGIN, holdStatement, untilBlocked } from './held-statement.ts';
import { mailboxSettings } from './mailboxes.ts';
import { openSteps, organizationalDomain, type Steps } from './steps.ts';

const forwarded = { ip: '192.0.2.7', count: 3, reason: 'mailing_list' };
const other = { ip: '192.0.2.7', count: 5 };

let steps: Steps;
let database: ClonedDatabase;
let orgId: string;
beforeEach(async () => {
  steps = await openSteps();
  ({ database, orgId } = steps);
});
afterEach(() => steps[Symbol.asyncDispose]());

const align = (on: Database) => steps.align(undefined, on);
const classify = (on: Database) => steps.classify(undefined, on);

const DAY_MS = 86_400_000;
const dayFrom = (days: number) => dayOf(Math.floor((Date.now() + days * DAY_MS) / 1_000));

/** True once the health of the domain will be computed soon: by the planner, or by a job that was announced. */
async function isHealthDue(): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select health_due_at < now() + interval '1 minute' or exists (
      select from outbox where job = 'computeHealth' and payload ->> 'domainId' = domain.id::text) as due
    from domain`.execute(database.db);
  return rows.some(({ due }) => due);
}

it.each<[string, (domainId: string, judge: () => Promise<unknown>) => Promise<unknown>]>([
  [
    'its health is stored',
    async (domainId, judge) => {
      await using held = holdStatement(database.socketUrl, 'commit');
      const computing = computeHealth({ database: held.database }, { orgId, domainId });
      await held.reached;
      await judge();
      held.letGo();
      await computing;
    },
  ],
  [
    'what became of the mail of its days is stored',
    async (domainId, judge) => {
      await computeHealth({ database }, { orgId, domainId });
      await sql`delete from enforcement_day`.execute(database.db);
      const mail = { orgId, domainId, domain: 'example.com', from: dayFrom(-3_650), to: dayFrom(0) };
      await transact(database, async (session) => {
        expect(await refreshEnforcementDays(session, mail, { days: 5, quietMinutes: 60 })).toBe(1);
        await judge();
      });
    },
  ],
])('computes the health of a domain again whose mail is judged while %s', async (_, whileStored) => {
  await steps.takeIn(reportXml({ records: [other] }));
  await align(database);
  await planHealth(database, { inHand: 10, atOnce: 10 });
  const { id } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await sql`delete from outbox`.execute(database.db);
  await whileStored(id, () => classify(database));
  expect(await isHealthDue()).toBe(true);
});

it('computes the health of a domain again that was computed while its reports were being removed', async () => {
  await steps.takeIn(reportXml({ records: [other] }), reportXml({ id: 'kept', records: [other] }));
  await sql`update report set received_at = now() - interval '1 day' where report_id <> 'kept'`.execute(database.db);
  await using held = holdStatement(database.socketUrl, 'drop-empty-days');
  const removing = transact(held.database, (session) => removeReports(session, orgId, new Date(Date.now() - 60_000)));
  await held.reached;
  await planHealth(database, { inHand: 10, atOnce: 10 });
  const { id } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await computeHealth({ database }, { orgId, domainId: id });
  await sql`delete from outbox`.execute(database.db);
  held.letGo();
  expect(await removing).toMatchObject({ reports: 1 });
  expect(await isHealthDue()).toBe(true);
});

it('computes the health of a domain again whose sums are repaired after it was computed', async () => {
  await steps.takeIn(reportXml({ records: [other] }));
  await align(database);
  await classify(database);
  const { id } = await database.db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  await sql`insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select org_id, source_ip, day, domain_id from source_domain_day`.execute(database.db);
  await sql`update domain set health_due_at = now()`.execute(database.db);
  await computeHealth({ database }, { orgId, domainId: id });
  await sql`update domain set health_due_at = now() + interval '1 day'`.execute(database.db);
  await sql`delete from outbox`.execute(database.db);
  expect(await isHealthDue()).toBe(false);
  await repairRollups({ database }, { orgId });
  expect(await isHealthDue()).toBe(true);
});

it('monitors a domain whose next report is stored while its last one is purged', async () => {
  await steps.takeIn(reportXml({ id: 'last', records: [forwarded] }));
  await using held = holdStatement(database.socketUrl, 'commit');
  const purging = transact(held.database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  await held.reached; // the domain is dropped, and no other transaction knows yet
  const taking = steps.takeIn(reportXml({ id: 'next', records: [other] }));
  await untilBlocked(database);
  held.letGo();
  await Promise.all([purging, taking]);
  const { db } = database;
  expect(await db.selectFrom('report').select('report_id').execute()).toEqual([{ report_id: 'next' }]);
  const domains = await db.selectFrom('domain').select(['monitored', 'left_at']).execute();
  expect(domains).toEqual([{ monitored: true, left_at: null }]);
  expect(await steps.driftAtRest()).toBe(0);
});

/** Name servers that publish this DMARC record and nothing else, and answer once `until` is fulfilled. */
const publishing = (record: string, until?: Promise<void>) => (): Ask => {
  const none = async () => ({ kind: 'none' as const });
  return {
    isValidating: false,
    async text(name) {
      await until;
      return name === '_dmarc.example.com' ? { kind: 'found', values: [record] } : { kind: 'none' };
    },
    mailServers: none,
    addresses: none,
    isNameAbsent: async () => false,
    validatedMailServers: async () => ({ found: { kind: 'none' }, isSecure: false }),
    tlsa: async () => ({ found: { kind: 'none' }, isSecure: false }),
    presented: async () => ({ kind: 'unasked' }),
    fetch: async () => ({ kind: 'silent', reason: 'timeout' }),
  };
};

it('shows what a person found who checked a domain while a check with older answers was under way', async () => {
  const { id: domainId } = await addDomain(database.db, orgId, 'example.com', {});
  const check = (ask: () => Ask) => checkDomain({ database, organizationalDomain, ask }, { orgId, domainId });
  await check(publishing('v=DMARC1; p=none'));
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const checking = check(() => {
    asked.resolve();
    return publishing('v=DMARC1; p=none', late.promise)();
  });
  await asked.promise;
  await check(publishing('v=DMARC1; p=reject'));
  late.resolve();
  await checking;
  const [dmarc] = (await findChecks(database.db, orgId, domainId)).filter(({ subject }) => subject === 'dmarc');
  expect(dmarc?.records).toEqual(['v=DMARC1; p=reject']);
  const seen = (await findCheckChanges(database.db, orgId, domainId, 100)).filter(({ subject }) => subject === 'dmarc');
  expect(seen.map(({ records }) => records)).toEqual([['v=DMARC1; p=reject'], ['v=DMARC1; p=none']]);
});

it('leaves the event open that was raised anew while another process was ending the one before', async () => {
  const unreadable = (n: number) => Buffer.from(`<feedback><report_metadata>${n}`);
  await steps.takeIn(unreadable(1), unreadable(2), unreadable(3));
  await lookAtOrganizations(database);
  await sql`update raw_message set finished_at = now() - interval '8 days'`.execute(database.db);
  await sql`update event_condition set ends_at = now() - interval '1 day'`.execute(database.db);
  await using held = holdStatement(database.socketUrl, BEGIN);
  const looking = lookAtOrganizations(held.database);
  await held.reached; // it has found nothing of late that could not be read
  await steps.takeIn(unreadable(4), unreadable(5), unreadable(6));
  await lookAtOrganizations(database);
  held.letGo();
  await looking;
  const events = await database.db.selectFrom('event').select('resolved_at').orderBy('created_at').execute();
  expect(events.map(({ resolved_at }) => resolved_at === null)).toEqual([false, true]);
});

it('signs in to a mailbox with the consent that was given while a token of the one before was being kept', async () => {
  const secrets = openSecretBox('0123456789abcdef'.repeat(4));
  const add = async (refreshToken: string) => {
    const id = await addMailbox(database, orgId, {
      ...mailboxSettings,
      username: 'rua',
      auth: 'oauth',
      oauth: { tokenUrl: 'https://token.example', clientId: 'client', grant: 'refresh_token', scope: null },
      seal: (mailboxId) =>
        secrets.seal(JSON.stringify({ clientSecret: null, refreshToken }), secretPlace({ orgId, mailboxId }, 'secret')),
    });
    return { orgId, mailboxId: id };
  };
  const asked: string[] = [];
  const requestToken: RequestToken = async ({ grant }) => {
    const by = 'refreshToken' in grant ? grant.refreshToken : '';
    asked.push(by);
    return { accessToken: `by ${by}`, expiresAt: new Date(Date.now() + 3_600_000), refreshToken: `after ${by}` };
  };
  const key = await add('old');
  await using held = holdStatement(database.socketUrl, 'commit');
  const signingIn = accessToken({ database: held.database, secrets, requestToken }, key);
  await held.reached; // the token was given, and the connection is lost before it is kept
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(database.db);
  await add('new');
  held.letGo();
  expect(await signingIn).toMatchObject({ accessToken: 'by new' });
  expect(asked).toEqual(['old', 'new']);
  const { secret } = await database.db.selectFrom('mailbox').select('secret').executeTakeFirstOrThrow();
  expect(secrets.open(secret, secretPlace(key, 'secret'))).toContain('after new');
});
