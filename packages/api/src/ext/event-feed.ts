import { findEvents } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { limit } from '../parameters/lenient.ts';
import { atomFeed } from './atom-feed.ts';

export const getEventFeed = defineRoute({
  path: '/events.atom',
  operationId: 'getEventFeed',
  permission: 'alert:read',
  tag: 'Feeds',
  summary: 'The newest events as an Atom feed.',
  description:
    'RFC 4287. Feed readers can send the key as the password of any user name. Links lead to the pages on the host ' +
    'that the feed comes from.',
  mediaType: 'application/atom+xml; charset=utf-8',
  takesPassword: true,
  query: { limit: limit(50) },
  answer: z.string().describe('Atom 1.0.'),
  example:
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n  <title>DMARC Ledger ' +
    'events</title>\n' +
    '  <!-- an entry for each event, newest first -->\n</feed>\n',
  async handle({ db, caller: { orgId }, now }, page) {
    const { rows } = await findEvents(db, orgId, {}, { ...page, offset: 0 });
    return atomFeed(orgId, rows, now);
  },
});
