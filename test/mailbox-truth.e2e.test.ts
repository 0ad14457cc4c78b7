import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dovecotServer } from '@dmarc-ledger/testkit';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { idleMail, mailOf } from './support/mail-corpus.ts';
import { openMailSite } from './support/mail-site.ts';
import { hasReferenceCorpus, makeReferenceCorpus } from './support/reference-corpus.ts';
import { makeCorpus } from './support/synthetic.ts';
import { sumUp, type TrueReport } from './support/truth.ts';

// For a longer run by hand: MAIL_REPORTS=20000 npm run soak -- test/mailbox-truth
const reports = Number(process.env['MAIL_REPORTS'] ?? 500);
const seed = testSeed();

const NO_REPORT = 20;
const SENT_AGAIN = 15;

/** Mails, and what is known of them. */
interface Made {
  mails: Buffer[];
  reports: TrueReport[];
  duplicates: number;
  broken: number;
}

it.each([
  ['on a server with MOVE and IDLE', {}, reports],
  ['on a server without MOVE and IDLE', { move: false, idle: false }, reports / 5],
] as const)(
  `takes in the mail of a mailbox %s: the figures are those of the reports, every mail is explained (seed ${seed})`,
  async (_, offer, count) => {
    await using server = await dovecotServer(offer);
    await using site = await openMailSite();
    const user = server.user();
    const { mails, reports: truth, duplicates, broken } = makeMails(count);
    const sentAgain = mails.slice(0, SENT_AGAIN);
    const all = new Random(seed).shuffled([...mails, ...sentAgain]);
    const early = all.splice(0, Math.floor(all.length / 2));
    await server.deliver(user, 'INBOX', early);
    const id = await site.addMailbox(server, user);
    for (const name of ['scheduler', 'worker', 'ingester'] as const) site.serve(name);
    await site.entered(1);
    await server.deliver(user, 'INBOX', all);
    await site.settled(early.length + all.length);

    expect(await site.totals()).toEqual(sumUp(truth));
    const [audited] = await site.runJson(['audit']);
    expect(audited).toMatchObject({ drift: 0 });
    await site.mailboxShows({ id, state: 'connected', backlog: 0, fault: null, backfill: false });
    const refused = broken + NO_REPORT;
    const folders = ['INBOX', 'Processed', 'Refused'];
    const counts = await Promise.all(folders.map(async (name) => (await server.messages(user, name)).length));
    const refusedAgain = counts[2]! - refused; // of the mails that came twice, all places are put aside
    expect(refusedAgain).toBeGreaterThanOrEqual(0);
    expect(counts).toEqual([0, early.length + all.length - refused - refusedAgain, refused + refusedAgain]);

    const ledger: Delivery[] = await site.runJson(['intake', 'list', '--org', 'Site', '--limit', '99999']);
    const of = (state: string) => ledger.filter((delivery) => delivery.state === state).length;
    const same = mails.length - new Set(mails.map(String)).size; // the same bytes again are the same delivery
    expect([of('stored'), of('duplicate'), of('refused')]).toEqual([truth.length, duplicates - same, refused]);
    expect(ledger).toHaveLength(mails.length - same);
    expect(ledger.filter(({ state, code }) => state === 'refused' && code === null)).toEqual([]);
  },
);

interface Delivery {
  state: string;
  code: string | null;
}

/** Half of them by our own generator, half by the reference generator where there is one. */
function makeMails(count: number): Made {
  using folder = temporaryFolder();
  const half = hasReferenceCorpus ? count / 2 : count;
  const own = makeCorpus(half, seed);
  const place = join(folder.path, 'reference');
  const other = hasReferenceCorpus
    ? makeReferenceCorpus(count - half, seed, place)
    : { reports: [], duplicates: 0, broken: 0 };
  const files = hasReferenceCorpus ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : [];
  const otherFiles = files
    .filter((name) => name.includes('/'))
    .map((name) => ({ name: basename(name), bytes: readFileSync(join(place, name)) }));
  return {
    mails: [
      ...[...own.files, ...otherFiles].map((file) => mailOf(file)),
      ...Array.from({ length: NO_REPORT }, (_, i) => idleMail(i)),
    ],
    reports: [...own.reports, ...other.reports],
    duplicates: own.duplicates + other.duplicates,
    broken: own.broken + other.broken,
  };
}
