import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeApi } from '@dmarc-ledger/api';
import { openBlobs } from '@dmarc-ledger/blobs';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import {
  addDomain,
  createKey,
  createOrganization,
  openClaimant,
  openDimensions,
  planEvents,
  requeueDeliveries,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { checkDomain, receiveMessages, takeIn, workHandlers } from '@dmarc-ledger/pipeline';
import { type Database, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, travellingClock } from '@dmarc-ledger/testkit';
import { dayOf, dmarcPolicies } from '@dmarc-ledger/vocabulary';
import { answersOf, type Answers } from './answers.ts';
import { host, hostsOutside } from './hosts.ts';
import type { SampleFile } from '@dmarc-ledger/samples';
import { ownMail, type Stream } from './mail.ts';
import { openMailbox } from './mailbox.ts';
import { askOf, OURS, type Published, type Records, zone, zones } from './published.ts';
import { type Mailing, reportFiles } from './reports.ts';
import { doJobs, doWhatIsDue } from './work.ts';

/** One domain: what it publishes, and the mail in its name. */
export interface Story extends Records {
  domain: string;
  streams: readonly Stream[];
  /** The policy that receivers find; default: that of `dmarc`. */
  policy?: Mailing['policy'];
  /** How the mails with the reports were authenticated as the reporter; absent: they are imported as files. */
  mailed?: Mailing['mailed'];
}

/** An organization, whose reports have arrived and are judged. */
export interface World {
  /** What the DNS answers from now on; changed by a test, it counts with the next check. */
  published: Published;
  /** Takes in further reports and does what is due. */
  arrive(...stories: Story[]): Promise<void>;
  /** Checks the domains so many minutes ago (default now), and looks for events at that time. */
  check(minutesAgo?: number): Promise<void>;
  /** Lets so many hours pass, at the end of which what is due is done: lookups, checks, events. */
  wait(hours: number): Promise<void>;
  /** Counts or holds what unauthenticated mail brings, and reads everything again. */
  set(unauthenticated: 'count' | 'hold'): Promise<void>;
  /** What the endpoints answer about a domain. */
  answers(domain: string): Promise<Answers>;
  /** Messages that fail, and whose forwarding is proved. */
  provedMessages(): Promise<number>;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The ledger and its API in one process, with an organization for each world. */
export interface Worlds extends AsyncDisposable {
  /** An organization with these domains, whose reports have arrived and are judged. */
  of(...stories: Story[]): Promise<World>;
}

export async function openWorlds(): Promise<Worlds> {
  const database = await cloneDatabase();
  const clock = travellingClock(database);
  let now = timeOfStories();
  clock.set(now);
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-scenarios-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const claimant = openClaimant(database);
  const dimensions = openDimensions(database);
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const intake = { database, blobs, claimant, dimensions, onFault };
  const made: World[] = [];
  const ask = askOf(() => made.map(({ published }) => published));
  const organizationalDomain = publicSuffixDomains();
  const handlers = workHandlers({
    database,
    blobs,
    dimensions,
    organizationalDomain,
    outside: hostsOutside,
    askDns: () => ask,
  });
  const api = makeApi({ db: database.db, reads: database.reads, now: () => now });
  const lookForEvents = async (at: Date) => {
    clock.set(new Date(at.getTime() + MINUTE)); // rules wait some seconds for further changes
    while ((await planEvents(database, { atOnce: 500, lostAfterSeconds: 600 })) > 0) await doJobs(database, handlers);
    clock.set(now);
  };
  const url = `${await api.listen({ host: '127.0.0.1', port: 0 })}/v1`;
  return {
    async of(...stories) {
      const { id: orgId } = await createOrganization(database.db, { name: `World ${made.length}` });
      await setOrganization(database, orgId, { reportAddresses: [OURS] });
      const { key } = await createKey(database.db, orgId, { scope: 'read' });
      for (const { domain } of stories) await addDomain(database.db, orgId, domain, {});
      const mailbox = await openMailbox({ database, blobs, orgId });
      const importFiles = async (files: readonly SampleFile[]) => {
        const arrivals = files.map(({ name, bytes }) => ({ content: bytes, source: 'file' as const, name }));
        await receiveMessages({ database, blobs }, orgId, arrivals);
      };
      const settle = async () => {
        while ((await takeIn(intake, null)) !== null);
        await doWhatIsDue(database, handlers);
        await lookForEvents(now);
      };
      const world: World = {
        published: zones(...stories.map((story) => zone(story.domain, story))),
        async arrive(...arriving) {
          for (const story of arriving) {
            const files = reportFiles(mailingOf(story), dayOf(Math.floor(now.getTime() / 1_000)));
            if (story.mailed) await mailbox.bring(files);
            else await importFiles(files);
          }
          await database.pool.query(
            `update raw_message set received_at = ledger_now() where org_id = $1 and state = 'received'`,
            [orgId],
          );
          await settle();
        },
        async check(minutesAgo = 0) {
          const at = new Date(now.getTime() - minutesAgo * MINUTE);
          clock.set(at);
          const needs = { database, organizationalDomain, ask: () => ask, now: () => at };
          const domains = database.db.selectFrom('domain').select('id').where('org_id', '=', orgId);
          for (const { id } of await domains.execute()) await checkDomain(needs, { orgId, domainId: id });
          await lookForEvents(at);
        },
        async wait(hours) {
          now = new Date(now.getTime() + hours * 60 * MINUTE);
          clock.set(now);
          await ageLookups(database, hours);
          await doWhatIsDue(database, handlers);
          await lookForEvents(now);
        },
        async set(unauthenticated) {
          await setOrganization(database, orgId, { unauthenticated });
          const ids = async (table: 'raw_message' | 'report') =>
            (await database.db.selectFrom(table).select('id').where('org_id', '=', orgId).execute()).map(
              ({ id }) => id,
            );
          const all = { messageIds: await ids('raw_message'), reportIds: await ids('report') };
          await transact(database, (session) => requeueDeliveries(session, orgId, all));
          await settle();
        },
        answers: (domain) => answersOf(url, key, domain),
        async provedMessages() {
          const { rows } = await database.pool.query<{ messages: number }>(
            'select coalesce(sum(messages), 0)::integer as messages from report_record where org_id = $1 and proved',
            [orgId],
          );
          return rows[0]?.messages ?? 0;
        },
      };
      made.push(world);
      await world.arrive(...stories);
      return world;
    },
    async [Symbol.asyncDispose]() {
      await api.close();
      claimant.release();
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes what lookups found older by so many hours: they take place at the time of the machine. */
async function ageLookups({ pool }: Database, hours: number): Promise<void> {
  await pool.query('update ip_enrichment set lists_due_at = now(), due_at = now()');
  await pool.query('update event_source set listed_at = listed_at - make_interval(hours => $1)', [hours]);
}

/** The time at which a file's scenarios take place: now, but never in the last minutes of a day (UTC). */
function timeOfStories(): Date {
  const now = Date.now();
  return new Date(Math.min(now, now - (now % DAY) + DAY - 2 * MINUTE));
}

function mailingOf({ domain, streams, dmarc = '', policy, mailed }: Story): Mailing {
  const published = dmarcPolicies.find(({ code }) => dmarc.includes(`p=${code}`))?.code ?? 'none';
  return { domain, streams, policy: policy ?? published, mailed };
}

/** A domain at reject whose own server sends all of its mail, signed with `s1`. */
export function plainStory(domain: string, own = host(`mail.${domain}`)): Story {
  const spf = `ip4:${own.ip} -all`;
  return { domain, dmarc: 'p=reject', spf, selectors: ['s1'], streams: [ownMail(own, domain)] };
}
