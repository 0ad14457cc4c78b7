import type { RouteTable } from '../route-table.ts';
import { listAcknowledgements } from './acknowledgements.ts';
import { getBulkSenderRules } from './bulk-sender.ts';
import { getCoverage } from './coverage.ts';
import { getDkimKeys } from './dkim-keys.ts';
import { listEnforcement } from './enforcement-list.ts';
import { getEnforcement } from './enforcement.ts';
import { getEventFeed } from './event-feed.ts';
import { getIntake } from './intake.ts';
import { getMetrics } from './metrics.ts';
import { listRecordChanges } from './record-changes.ts';
import { listDecisionChanges } from './sender-history.ts';
import { listSenders } from './senders.ts';
import { getSpf } from './spf.ts';
import { listTlsFailures } from './tls-failures.ts';

/**
 * Every endpoint below `/ext/v1`: what helps to decide, beside the figures of version 1. Keys, limits, permissions and
 * manners are those of version 1.
 */
export const ext: RouteTable = {
  basePath: '/ext/v1',
  docsPath: '/ext/v1/docs',
  name: 'ext v1',
  introduction:
    'What follows from the figures of `/v1`, for decisions: who sends as your domains, what a stricter policy would ' +
    'do, and how much the figures show. Keys, limits and manners are those of `/v1`: every operation is a GET, every ' +
    'request is scoped to the organization of its API key, instants are RFC 3339 in UTC with whole seconds, rates ' +
    'are percentages, and what is absent is null.',
  promise: 'Version 1 of the extension. Fields are added, never renamed or removed.',
  tags: {
    Senders: 'Who sends as the domains, and what has been decided about each.',
    Enforcement: 'What a stricter policy would do.',
    Coverage: 'How much of the mail the figures show.',
    'Bulk senders': 'The rules of mailbox providers for bulk senders.',
    DNS: 'What is published, and the mail that needs it.',
    Intake: 'Whether reports arrive.',
    TLS: 'What reports on encrypted delivery say.',
    Events: 'What was done about events.',
    Feeds: 'Figures and events for other programs.',
  },
  examplePath: '/senders',
  routes: [
    listSenders,
    listDecisionChanges,
    listEnforcement,
    getEnforcement,
    getCoverage,
    getBulkSenderRules,
    getDkimKeys,
    getSpf,
    listRecordChanges,
    getIntake,
    listTlsFailures,
    listAcknowledgements,
    getMetrics,
    getEventFeed,
  ],
};
