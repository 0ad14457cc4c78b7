import { type DomainRow, findDomains } from '@dmarc-ledger/queries';
import { codesOf, idText, instantText, verificationStates } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { limit, offset } from '../parameters/lenient.ts';
import { count, identifier, instant, paging, text } from '../bodies/fields.ts';

const state = z.enum(codesOf(verificationStates));

const Domain = z
  .object({
    id: identifier('Of the domain.').optional(),
    domain: text('Name, as A-labels.'),
    verified: z.boolean().describe('Older; prefer `dmarc_state`.'),
    dmarc_state: state.describe('Where aggregate reporting stands.'),
    tlsrpt_enabled: z.boolean().describe('TLS reporting is switched on for the domain.'),
    tlsrpt_state: state.describe('Where TLS reporting stands.'),
    forensic_enabled: z.boolean().describe('Failure reporting is switched on for the domain.'),
    forensic_state: state.describe('Where the failure-report address in the DMARC record stands.'),
    aprf_enabled: z.boolean().describe('Placement reporting is switched on for the domain.'),
    aprf_state: state.describe('Where placement reporting stands.'),
    source: z.enum(['manual', 'auto', 'both']).describe('Added by a person, found in reports, or both.'),
    verified_source: z
      .enum(['self', 'inherited', ''])
      .optional()
      .describe('Whose record reports to the organization; empty when not verified.'),
    inherited_from: text('Organizational parent, with an inherited verification.').optional(),
    report_count: count('Reports held.'),
    verified_at: instant('When the present verified state was first reached.').nullable().optional(),
  })
  .meta({ id: 'Domain' });

export const listDomains = defineRoute({
  path: '/domains',
  operationId: 'listDomains',
  permission: 'domain:read',
  tag: 'Domains',
  summary: 'The monitored domains, by name.',
  query: { limit: limit(50), offset },
  answer: z.object({ domains: z.array(Domain).describe('By name.'), ...paging }),
  example: {
    domains: [
      {
        id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
        domain: 'example.com',
        verified: true,
        dmarc_state: 'verified',
        tlsrpt_enabled: false,
        tlsrpt_state: 'pending',
        forensic_enabled: false,
        forensic_state: 'pending',
        aprf_enabled: false,
        aprf_state: 'pending',
        source: 'both',
        verified_source: 'self',
        report_count: 412,
        verified_at: '2026-01-10T08:00:00Z',
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle({ db, caller }, page) {
    const { rows, total } = await findDomains(db, caller.orgId, page);
    return { domains: rows.map(toDomain), total, ...page };
  },
});

/** A check without an answer does not revoke a verification: it stands until a check says otherwise. */
function toDomain({ id, name, reports, verified_at, verified_source, inherited_from, ...row }: DomainRow) {
  return {
    id: idText(id),
    domain: name,
    ...row,
    verified: verified_source !== null,
    verified_source: verified_source ?? ('' as const),
    inherited_from: inherited_from ?? undefined,
    report_count: reports,
    verified_at: verified_at ? instantText(verified_at) : undefined,
  };
}
