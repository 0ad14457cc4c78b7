import { describe, expect, it } from 'vitest';
import { sorted, type OrganizationFigures, type OrganizationRow } from '../src/people/find-organizations.ts';

const calm: OrganizationFigures = {
  messages: 100,
  compliance: 100,
  domains: 1,
  domainsNeedingAttention: 0,
  items: { high: 0, medium: 0, low: 0 },
};

function row(orgName: string, figures?: Partial<OrganizationFigures>): OrganizationRow {
  return {
    membership: { orgId: orgName, orgName, role: 'owner' },
    figures: figures && { ...calm, ...figures },
  };
}

describe('the organizations of a person', () => {
  it('begin with those that need them most', () => {
    const rows = [
      row('no figures'),
      row('calm b', {}),
      row('calm a', {}),
      row('low share', { compliance: 60 }),
      row('a domain', { domainsNeedingAttention: 1 }),
      row('soon', { items: { high: 0, medium: 1, low: 0 } }),
      row('urgent', { items: { high: 1, medium: 0, low: 0 } }),
      row('more urgent', { items: { high: 3, medium: 0, low: 0 } }),
    ];
    expect(sorted(rows).map(({ membership }) => membership.orgName)).toEqual([
      'more urgent',
      'urgent',
      'soon',
      'a domain',
      'low share',
      'calm a',
      'calm b',
      'no figures',
    ]);
  });
});
