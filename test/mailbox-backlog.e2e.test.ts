import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openMailSite } from './support/mail-site.ts';
import type { Service } from './support/service.ts';

// For the full size by hand, with figures: MAIL_BACKLOG=100000 npm test -- test/mailbox-backlog
const { MAIL_BACKLOG } = process.env;
const mails = Number(MAIL_BACKLOG ?? 360);
const CHUNK = 1_000;
const MIB = 1024;

/** Both take most of their time to start processes: `npm run soak` sets the number and tries both. */
const ways = MAIL_BACKLOG === undefined ? ['move'] : ['leave', 'move'];

it.each(ways)(
  'takes a long backlog in (%s), in little memory, on from the checkpoint after a kill, and drains when asked to end',
  { timeout: 240_000 + mails * 40 },
  async (after) => {
    await using server = await dovecotServer();
    await using site = await openMailSite();
    const user = server.user();
    for (let from = 0; from < mails; from += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, mails - from) }, (_, i) =>
        reportMail({ xml: reportXml({ id: `r-${from + i}` }) }),
      );
      await server.deliver(user, 'INBOX', chunk);
    }
    for (const name of ['scheduler', 'worker'] as const) site.serve(name);
    const first = site.serve('ingester');
    await first.ready;
    await sleep(1_000);
    const idle = memoryOf(first);
    await site.addMailbox(server, user, ['--after', after]);
    const begun = Date.now();
    const samples: number[] = [];
    const watch = (service: Service) => setInterval(() => samples.push(memoryOf(service)), 250);
    let timer = watch(first);

    await site.begun(); // no more: on a quick machine the rest follows at once
    process.kill(first.pid, 'SIGSTOP'); // it would be done before the command has started
    const [mailbox] = await site.runJson(['mailbox', 'list']);
    expect(mailbox).toMatchObject({ state: 'connected', backfill: true });
    expect(mailbox.backlog).toBeGreaterThan(0);
    clearInterval(timer);
    await first.end('SIGKILL');
    const { mails: before } = await site.leftovers();
    const second = site.serve('ingester');
    timer = watch(second);
    await site.entered(Math.min(mails, Math.max(mails / 2, before + 1)));
    clearInterval(timer);
    await second.ready; // what the first was about to write may be what came
    expect(await second.end('SIGTERM')).toBe(0); // drained
    const third = site.serve('ingester');
    await third.ready;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(third.pid, signal); // as for a group
    expect(await third.ended).toBe(0); // drained again
    timer = watch(site.serve('ingester'));
    await site.entered(mails);
    const fetched = Date.now();
    await site.settled(mails);
    clearInterval(timer);

    const { all } = await site.totals();
    expect(all).toMatchObject({ reports: mails, messages: mails });
    await site.mailboxShows({ backlog: 0, backfill: false, checkpoint_uid: mails });
    if (MAIL_BACKLOG) process.stdout.write(figures({ after, idle, samples, begun, fetched }));
  },
);

function memoryOf({ pid }: Service): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / MIB;
  } catch {
    return 0; // it has just ended
  }
}

interface Measured {
  after: string;
  idle: number;
  samples: number[];
  begun: number;
  fetched: number;
}

function figures({ after, idle, samples, begun, fetched }: Measured): string {
  const tenth = Math.ceil(samples.length / 10);
  const peaks = Array.from({ length: 10 }, (_, i) => Math.max(0, ...samples.slice(i * tenth, (i + 1) * tenth)));
  const rate = (until: number) => ((mails * 1000) / (until - begun)).toFixed(0);
  return `${mails} mails, ${after}: idle ${idle.toFixed(0)} MiB, peak ${Math.max(...samples).toFixed(0)} MiB
  by tenths of the time: ${peaks.map((peak) => peak.toFixed(0)).join(' ')}
  fetched ${rate(fetched)} mails/s, put aside and judged ${rate(Date.now())} mails/s
`;
}
