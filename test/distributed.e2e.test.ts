import { setTimeout as sleep } from 'node:timers/promises';
import { awayFromTheTurn, dovecotServer, redisServer } from '@dmarc-ledger/testkit';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { getJson } from './support/api.ts';
import { mailOf } from './support/mail-corpus.ts';
import { openMailSite, type MailSite } from './support/mail-site.ts';
import type { Service } from './support/service.ts';
import { makeCorpus, type Corpus } from './support/synthetic.ts';
import { reportedTotals } from './support/reported-totals.ts';
import { sumUp } from './support/truth.ts';

// For a longer run: SEED=1 npm run soak -- test/distributed
const { DISTRIBUTED_REPORTS = '300', DISTRIBUTED_KILLS = '8' } = process.env;
const [reports, leastKills, seed] = [Number(DISTRIBUTED_REPORTS), Number(DISTRIBUTED_KILLS), testSeed()];

const NAMES = ['api', 'ingester', 'worker', 'scheduler'] as const;
type Name = (typeof NAMES)[number];
const OF_EACH = 2;
/** The deliveries of each way in come in so many parts. */
const ROUNDS = 10;
const LAG = 2;
const UPLOADS_AT_ONCE = 8;
const MINUTE_MS = 60_000;

interface Running {
  name: Name;
  service: Service;
  /** Null when it ended before it was ready. */
  url: Promise<string | null>;
}

/** What happened to requests, as their client saw it. */
interface Tally {
  answered: number;
  unknown: number;
}

type File = Corpus['files'][number];

it(
  `counts everything once with two processes of each kind, killed at random (seed ${seed})`,
  async () => {
    const random = new Random(seed);
    const redis = await redisServer();
    await using server = await dovecotServer({});
    await using site = await openMailSite({
      REDIS_URL: redis.url,
      ABUSE_LIMIT_PER_MINUTE: '1000000',
      ENRICHMENT: 'off',
    });
    const { org, key, askKey, uploadKey } = await givenOrganization(site);
    const users = [server.user(), server.user()];
    for (const user of users) await site.addMailbox(server, user);
    const running = NAMES.flatMap((name) => Array.from({ length: OF_EACH }, () => start(site, name)));
    await Promise.all(running.map(({ service }) => service.ready));

    const corpus = makeCorpus(reports, seed);
    const ways = [0, 1, 2].map((way) => corpus.files.filter((_, i) => i % 3 === way));
    const ending = new AbortController();
    const kills = { count: 0 };
    const killing = killAtRandom(site, running, random, kills, ending.signal);
    const asking = askOn(running, askKey, ending.signal);
    const mails = ways.slice(0, users.length).map((files) => inRounds(files));
    const uploads = inRounds(ways[users.length]!);
    // Mail lags behind: an hour's limit is for all of an organization's deliveries, but refuses uploads alone.
    for (let round = 0; round < ROUNDS + LAG; round += 1) {
      await Promise.all([
        uploadAll(running, uploadKey, uploads[round] ?? []),
        ...users.map((user, i) =>
          server.deliver(
            user,
            'INBOX',
            (mails[i]![round - LAG] ?? []).map((file) => mailOf(file)),
          ),
        ),
      ]);
      await sleep(500);
    }
    while (kills.count < leastKills) await sleep(100);
    ending.abort();
    await killing;
    const tally = await asking;
    await site.settled(ways[0]!.length + ways[1]!.length);
    await replayQuarantined(site);

    const url = (await running.find(({ name }) => name === 'api')!.url)!;
    expect(await reportedTotals(url, key)).toEqual(sumUp(corpus.reports));
    expect(await site.runJson(['audit'])).toMatchObject([{ drift: 0, raw: { missing: 0 } }]);
    await expectSnapshotsOnce(site, org);
    await expectEventsOnce(site, corpus);
    await expectUsage(url, key, tally);
    for (const { service } of running) expect(await service.end('SIGTERM')).toBe(0);
    await redis.stop();
  },
  20 * MINUTE_MS + reports * 100,
);

async function givenOrganization(site: MailSite) {
  await site.runJson(['plan', 'set', 'metered', '--hourly-quota', '10000000']);
  const [{ id: org }] = await site.runJson(['org', 'list']);
  await site.runJson(['org', 'set', org, '--plan', 'metered']);
  const { key } = await site.runJson(['key', 'create', '--org', org]);
  const { key: uploadKey } = await site.runJson(['key', 'create', '--org', org, '--scope', 'ingest']);
  const { key: askKey } = await site.runJson(['key', 'create', '--org', org, '--name', 'asker']);
  return { org, key, askKey, uploadKey };
}

function start(site: MailSite, name: Name): Running {
  const service = site.serve(name);
  return { name, service, url: service.ready.catch(() => null) };
}

/** Kills any process, and starts another one like it at once. */
async function killAtRandom(
  site: MailSite,
  running: Running[],
  random: Random,
  kills: { count: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(1_000 + random.below(2_000));
    const i = random.below(running.length);
    const victim = running[i]!;
    await victim.service.end('SIGKILL');
    running[i] = start(site, victim.name);
    kills.count += 1;
  }
  await Promise.all(running.map(({ service }) => service.ready));
}

function inRounds(files: readonly File[]): File[][] {
  const size = Math.ceil(files.length / ROUNDS);
  return Array.from({ length: ROUNDS }, (_, round) => files.slice(round * size, (round + 1) * size));
}

async function uploadAll(running: readonly Running[], key: string, files: readonly File[]): Promise<void> {
  const left = files.values(); // the lanes take turns at it
  const lane = async () => {
    for (const file of left) await upload(running, key, file);
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
}

/** Uploads a file until an ingester answers that it is durable; one that was killed may have it already. */
async function upload(running: readonly Running[], key: string, { bytes }: File): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const ingesters = running.filter(({ name }) => name === 'ingester');
    const url = await ingesters[attempt % ingesters.length]!.url;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
    const response = await fetch(`${url}/ingest/v1/reports`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    }).catch(() => undefined);
    if (response?.status === 202) return;
    if (response && response.status < 500) throw new Error(`An upload was answered ${response.status}.`);
    await sleep(100);
  }
}

/** Asks the API all the time, whichever of its processes. */
async function askOn(running: readonly Running[], key: string, signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { answered: 0, unknown: 0 };
  for (let turn = 0; !signal.aborted; turn += 1) {
    const apis = running.filter(({ name }) => name === 'api');
    const url = await apis[turn % apis.length]!.url;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/statistics`, { headers }).catch(() => undefined);
    if (response?.status === 200) tally.answered += 1;
    else if (response && response.status !== 503) throw new Error(`The API answered ${response.status}.`);
    else tally.unknown += 1; // it may have been counted and not answered
    await sleep(50);
  }
  return tally;
}

/** Who was there at three kills is set aside, however sound it is. */
async function replayQuarantined(site: MailSite): Promise<void> {
  const quarantined = await site.runJson([
    'intake',
    'list',
    '--org',
    'Site',
    '--state',
    'quarantined',
    '--limit',
    '99999',
  ]);
  for (const { id } of quarantined) await site.runJson(['intake', 'replay', '--org', 'Site', '--id', id]);
  await site.settled(0);
}

async function expectSnapshotsOnce(site: MailSite, org: string): Promise<void> {
  await awayFromTheTurn();
  await sql`update org_total set imported_at = null, snapshots_due_at = now()`.execute(site.database.db); // the import is over
  const find = () => site.database.db.selectFrom('score_snapshot').selectAll().orderBy('day').execute();
  const limit = Date.now() + MINUTE_MS;
  while (!(await areSnapshotsFinal(site)) && Date.now() < limit) await sleep(200);
  const kept = await find();
  expect(kept.length).toBeGreaterThan(20);
  await site.runJson(['snapshot', 'rebuild', '--org', org]);
  expect(await find()).toEqual(kept);
}

/** Whether all days before this one are computed: the next computation is due when the day ends. */
async function areSnapshotsFinal(site: MailSite): Promise<boolean> {
  const { rows } = await sql`
    select from org_total where snapshot_from is not null
      or snapshots_due_at at time zone 'utc' <> date_trunc('day', snapshots_due_at at time zone 'utc')`.execute(
    site.database.db,
  );
  return rows.length === 0;
}

async function expectEventsOnce(site: MailSite, corpus: Corpus): Promise<void> {
  const { rows } = await sql`
    select dedup_key from event where resolved_at is null group by org_id, dedup_key having count(*) > 1`.execute(
    site.database.db,
  );
  expect(rows).toEqual([]);
  const domainsOf = async (type: string) =>
    (await site.database.db.selectFrom('event').select('domain').where('type', '=', type).execute())
      .map(({ domain }) => domain)
      .toSorted();
  const domains = [...new Set(corpus.reports.map(({ domain }) => domain))].toSorted();
  expect(await domainsOf('domain_discovered')).toEqual(domains);
  expect(await domainsOf('first_report_received')).toEqual(domains);
}

/** Every answered request is counted, and no other. */
async function expectUsage(url: string, key: string, { answered, unknown }: Tally): Promise<void> {
  const { keys } = await getJson(`${url}/v1/api-keys/usage`, key);
  const { requests } = keys.find(({ name }: { name: string }) => name === 'asker');
  expect(requests).toBeGreaterThanOrEqual(answered);
  expect(requests).toBeLessThanOrEqual(answered + unknown);
}
