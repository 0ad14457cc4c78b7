import type { Db } from '@dmarc-ledger/schema';
import { dayOf, HttpProblem, type Day } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';
import { orgIdOf } from '../organizations.ts';
import type { Work } from '../with-installation.ts';

interface Asked {
  domain: string;
  today: Day;
}

/** Returns what the API answers about one domain, as of now. A domain that is not known fails the command. */
export async function answerAbout<Body>(
  work: Work,
  { domain, org }: { domain: string; org: string },
  answer: (db: Db, orgId: string, asked: Asked) => Promise<Body>,
): Promise<Body> {
  const orgId = await orgIdOf(work, org);
  const today = dayOf(Math.floor(Date.now() / 1_000));
  try {
    return await answer(work.installation.database.db, orgId, { domain, today });
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'not_found')
      throw new CliError('not_found', `Nothing is known of ${domain}; see: dmarc-ledger domain list --org ORG`);
    throw error;
  }
}
