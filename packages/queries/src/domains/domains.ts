import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import type { verificationStates } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

type State = (typeof verificationStates)[number]['code'];

/** Returns one page of the domains that an organization monitors, by name, and their total number. */
export async function findDomains(reads: Db, orgId: string, { limit, offset }: { limit: number; offset: number }) {
  return await inSnapshot(reads, async (db) => {
    const monitored = db.selectFrom('domain').where('domain.org_id', '=', orgId).where('domain.monitored', '=', true);
    const [{ total }, rows] = await Promise.all([
      monitored.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      monitored
        .leftJoin('domain_total', (join) =>
          join.onRef('domain_total.org_id', '=', 'domain.org_id').onRef('domain_total.domain_id', '=', 'domain.id'),
        )
        .select([
          'domain.id',
          'domain.name',
          'domain.source',
          'domain.dmarc_state',
          'domain.tlsrpt_enabled',
          'domain.tlsrpt_state',
          'domain.forensic_enabled',
          'domain.forensic_state',
          'domain.aprf_enabled',
          'domain.aprf_state',
          'domain.verified_at',
          'domain.verified_source',
          'domain.inherited_from',
          (eb) => eb.fn.coalesce('domain_total.reports', eb.val(0)).as('reports'),
        ])
        .orderBy(sql`domain.name collate "C"`)
        .limit(limit)
        .offset(offset)
        .$narrowType<{ dmarc_state: State; tlsrpt_state: State; forensic_state: State; aprf_state: State }>()
        .execute(),
    ]);
    return { rows, total };
  });
}

export type DomainRow = Awaited<ReturnType<typeof findDomains>>['rows'][number];
