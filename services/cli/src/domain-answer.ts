import type { Db } from '@dmarc-ledger/schema';
import { dayOf, type Day, HttpProblem } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';
import { orgIdOf } from './organizations.ts';
import type { Work } from './with-installation.ts';

/** The lengths of windows, by how they are written. */
export const WINDOWS = { '30': 30, '60': 60, '90': 90 } as const;
export type WindowName = keyof typeof WINDOWS;

/** The instant of an answer, and its day in UTC. */
interface Moment {
  now: Date;
  today: Day;
}

/**
 * Returns what the API answers about a domain of an organization, as of now.
 * @throws {CliError} `not_found` for a domain that is not monitored and has no report.
 */
export async function answerAbout<Body>(
  work: Work,
  { domain, org }: { domain: string; org: string },
  answer: (db: Db, orgId: string, asked: { domain: string } & Moment) => Promise<Body>,
): Promise<Body> {
  const orgId = await orgIdOf(work, org);
  const now = new Date();
  const today = dayOf(Math.floor(now.getTime() / 1_000));
  try {
    return await answer(work.installation.database.db, orgId, { domain, today, now });
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'not_found')
      throw new CliError('not_found', `Nothing is known of ${domain}; see: dmarc-ledger domain list --org ORG`);
    throw error;
  }
}
