import type { TableDescription } from '../route-table.ts';

/** What the documentation of version 1 says as a whole. */
export const aboutV1: TableDescription = {
  basePath: '/v1',
  docsPath: '/docs',
  name: 'v1',
  introduction:
    "Read access to an organization's DMARC data: aggregate reports, parsed and classified, and what follows from " +
    'them. Every operation is a GET; every request is scoped to the organization that its API key is bound to. Ids ' +
    'are opaque, instants are RFC 3339 in UTC with whole seconds, rates are percentages, and what is absent is null.',
  promise: 'Version 1. Fields are added, never renamed or removed.',
  tags: {
    Reports: 'Aggregate reports as they were received, with our verdicts.',
    Analytics: 'Figures over reports.',
    Domains: 'The domains that an organization monitors.',
    Sources: 'The addresses that send mail as these domains.',
    Events: 'Conditions that needed attention.',
    'API keys': 'What keys have done.',
    Vocabulary: 'The words that answers use.',
  },
  examplePath: '/statistics',
};
