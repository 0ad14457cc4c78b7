import { dayOf, type Day, HttpProblem } from '@dmarc-ledger/vocabulary';
import { CliError } from './errors.ts';
import { orgIdOf } from './organizations.ts';
import type { Work } from './with-installation.ts';

/** The lengths of windows, by how they are written. */
export const WINDOWS = { '30': 30, '60': 60, '90': 90 } as const;
export type WindowName = keyof typeof WINDOWS;

type Db = Work['installation']['database']['db'];

/**
 * The API's answer about a domain of an organization.
 * @throws {CliError} `not_found` for a domain that is not monitored and has no report.
 */
export async function answerAbout<Body>(
  work: Work,
  domain: string,
  org: string,
  answer: (db: Db, orgId: string, today: Day, now: Date) => Promise<Body>,
): Promise<Body> {
  const orgId = await orgIdOf(work, org);
  const now = new Date();
  try {
    return await answer(work.installation.database.db, orgId, dayOf(Math.floor(now.getTime() / 1_000)), now);
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'not_found')
      throw new CliError('not_found', `Nothing is known of ${domain}; see: dmarc-ledger domain list --org ORG`);
    throw error;
  }
}
