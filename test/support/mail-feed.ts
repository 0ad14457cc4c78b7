import { setTimeout as sleep } from 'node:timers/promises';
import type { DovecotServer } from '@dmarc-ledger/testkit';
import { conflictOf, idleMail, mailOf, type Conflict } from './mail-corpus.ts';
import { makeCorpus } from './synthetic.ts';
import type { TrueReport } from './truth.ts';

const EVERY_MS = 1_500;
const REPORTS_AT_ONCE = 8;
/** Reports of each delivery that come in two versions, so that they are counted again. */
const CONFLICTS_AT_ONCE = 2;

/** A report, and the faults that were active when its mail was delivered. */
export type FedReport = TrueReport & { during: string[] };

/** Mail that keeps arriving. */
export interface MailFeed {
  reports: FedReport[];
  mails(): number;
  /** Delivers what is still to follow and ends. */
  end(): Promise<void>;
}

/** Delivers mail repeatedly: reports, some in two versions, some damaged, and mail without a report. */
export function feedMail(server: DovecotServer, user: string, seed: number, during: () => string[]): MailFeed {
  const reports: FedReport[] = [];
  const ending = new AbortController();
  let mails = 0;
  let followers: Conflict[] = [];
  const deliver = async (batch: Buffer[]) => {
    await server.deliver(user, 'INBOX', batch);
    mails += batch.length;
  };
  const feed = async () => {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      const corpus = makeCorpus(REPORTS_AT_ONCE, seed * 1_000 + round);
      const conflicts = new Map<string, Conflict>();
      for (const file of corpus.files) {
        const conflict = conflicts.size < CONFLICTS_AT_ONCE ? conflictOf(file) : undefined;
        if (conflict) conflicts.set(file.name, conflict);
      }
      const now = corpus.files.map((file) => conflicts.get(file.name)?.loser ?? mailOf(file));
      await deliver([...followers.map(({ winner }) => winner), ...now, idleMail(round)]);
      reports.push(...corpus.reports.map((report) => ({ ...report, during: during() })));
      followers = [...conflicts.values()];
      await sleep(EVERY_MS);
    }
    await deliver(followers.map(({ winner }) => winner));
  };
  const feeding = feed();
  feeding.catch(() => {}); // `end` reports it
  return {
    reports,
    mails: () => mails,
    end: async () => {
      ending.abort();
      await feeding;
    },
  };
}
