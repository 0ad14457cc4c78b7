import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer, redisServer } from '@dmarc-ledger/testkit';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { failPoints, type FailPoint } from '@dmarc-ledger/vocabulary';
import { expect, it, vi } from 'vitest';
import { feedMail, type FedReport } from './support/mail-feed.ts';
import { openMailSite, type MailSite } from './support/mail-site.ts';
import { sumUp, type Totals } from './support/truth.ts';

// For the long run, which prints the matrix: npm run soak -- test/mailbox-crash
const { CRASH_ROUNDS = '1', CRASH_QUEUES = 'Postgres' } = process.env;
const rounds = Number(CRASH_ROUNDS);
const seed = testSeed();

/** Which process comes by each point. */
const passes: { [service in 'ingester' | 'worker']: FailPoint[] } = {
  ingester: ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F12', 'F13'],
  worker: ['F9', 'F10', 'F11', 'F14', 'F15', 'F16'],
};
/** A job that died with its worker holds the next of its kind for a lock and two checks. */
const HIT_WITHIN_MS = 180_000;

it.each(CRASH_QUEUES.split(','))(
  `loses nothing and counts nothing twice, killed at every fail point, with its queue on %s (seed ${seed})`,
  { timeout: 600_000 + rounds * 600_000 },
  async (backend) => {
    const redis = backend === 'Redis' ? await redisServer() : undefined;
    await using server = await dovecotServer();
    await using site = await openMailSite(redis && { REDIS_URL: redis.url });
    const user = server.user();
    await site.addMailbox(server, user);
    site.serve('scheduler');
    const armed: { [service: string]: string } = {};
    const feed = feedMail(server, user, seed, () => Object.values(armed));
    const killAtAll = async (service: keyof typeof passes) => {
      for (const [i, point] of Array.from({ length: rounds }, () => passes[service])
        .flat()
        .entries()) {
        armed[service] = point;
        await killAt(site, service, point);
        if (service === 'ingester' && i % 2 === 1) await recover(site);
      }
      site.serve(service);
    };
    await Promise.all([killAtAll('ingester'), killAtAll('worker')]);
    await feed.end();
    await site.settled(feed.mails());

    const totals = await site.totals();
    if (rounds > 1) process.stdout.write(matrixText(backend, tally(feed.reports, totals), await site.leftovers()));
    expect(totals).toEqual(sumUp(feed.reports));
    expect(await site.runJson(['audit'])).toMatchObject([{ drift: 0, raw: { missing: 0 } }]);
    // a job may announce another at any time, which the relay hands on soon after
    const nothing = { mails: feed.mails(), suspects: 0, untouched: 0, unfinished: 0, announced: 0 };
    await vi.waitFor(async () => expect(await site.leftovers()).toEqual(nothing), { timeout: 60_000, interval: 200 });
    expect(await server.messages(user, 'INBOX')).toEqual([]);
    expect(await site.runJson(['intake', 'list', '--org', 'Site', '--state', 'quarantined'])).toEqual([]);
    await redis?.stop();
  },
);

/** Starts the service, which repairs what the kill before has left, and waits until it dies at the point. */
async function killAt(site: MailSite, name: 'ingester' | 'worker', point: FailPoint): Promise<void> {
  const file = join(site.folder, `${name}-${point}`);
  const before = linesIn(file);
  const service = site.serve(name, { FAIL_POINTS: `${point}=kill`, FAIL_POINTS_LOG: file });
  const code = await Promise.race([service.ended, sleep(HIT_WITHIN_MS, 'alive')]);
  expect({ point, code, hits: linesIn(file) - before }).toEqual({ point, code: null, hits: 1 });
}

/** What was being read at two kills is read: a mail that meets three is set aside, for it may be what kills. */
async function recover(site: MailSite): Promise<void> {
  const service = site.serve('ingester');
  await service.ready;
  await site.suspectsCleared();
  expect(await service.end('SIGTERM')).toBe(0);
}

function linesIn(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

/** How the reports fared that came while each point was armed. */
function tally(reports: FedReport[], totals: Totals) {
  return Object.keys(failPoints).map((point) => {
    const own = reports.filter(({ during }) => during.includes(point));
    const differences = own.map((report) => {
      const [key, { messages }] = Object.entries(sumUp([report]).reports)[0]!;
      return (totals.reports[key]?.messages ?? 0) - messages;
    });
    const sum = (sign: number) => differences.filter((by) => by * sign > 0).reduce((all, by) => all + by * sign, 0);
    return { point, kills: rounds, reports: own.length, lost: sum(-1), doubled: sum(1) };
  });
}

function matrixText(backend: string, rows: ReturnType<typeof tally>, left: { unfinished: number; untouched: number }) {
  const lines = rows.map(({ point, kills, reports, lost, doubled }) =>
    [point.padEnd(6), kills, reports, lost, doubled, left.unfinished + left.untouched].join('\t'),
  );
  return [`queue on ${backend}`, 'point\tkills\treports\tlost\tdoubled\tstuck', ...lines].join('\n');
}
