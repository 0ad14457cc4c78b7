import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer } from '@dmarc-ledger/testkit';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { expect, it } from 'vitest';
import { feedMail } from './support/mail-feed.ts';
import { openMailSite } from './support/mail-site.ts';
import { ownPostgres } from './support/own-postgres.ts';
import { sumUp } from './support/truth.ts';

const seed = testSeed();

it(`counts every message once when PostgreSQL ends all sessions, or is killed, while mail arrives (seed ${seed})`, async () => {
  await using server = await dovecotServer();
  await using postgres = await ownPostgres();
  await using site = await openMailSite({}, postgres);
  const user = server.user();
  await site.addMailbox(server, user);
  const services = (['scheduler', 'worker', 'ingester'] as const).map((name) => site.serve(name));
  await Promise.all(services.map((service) => service.ready)); // one that finds no database at its start has to end
  const feed = feedMail(server, user, seed, () => []);
  for (let times = 1; times <= 3; times += 1) {
    await site.entered(times * 20);
    await postgres.endSessions();
    await sleep(500);
    await postgres.crash(times * 500);
  }
  await feed.end();
  await site.settled(feed.mails());

  expect(await site.totals()).toEqual(sumUp(feed.reports));
  expect(await site.runJson(['audit'])).toMatchObject([{ drift: 0, raw: { missing: 0 } }]);
  expect(await server.messages(user, 'INBOX')).toEqual([]);
  await site.mailboxShows({ state: 'connected', fault: null, backlog: 0 });
  // none had to be started again
  expect(await Promise.race([sleep(0, 'all run'), ...services.map((service) => service.ended)])).toBe('all run');
});
