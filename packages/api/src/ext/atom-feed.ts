import type { EventRow } from '@dmarc-ledger/queries';
import { alertTypes, instantText, pathIn, printableText } from '@dmarc-ledger/vocabulary';
import { XMLBuilder } from 'fast-xml-parser';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });
const labels = new Map<string, string>(alertTypes.map(({ code, label }) => [code, label]));
/** Longer texts are cut: a feed is read at a glance. */
const LONGEST = 2_000;

/**
 * Writes events as an Atom feed, in their order. Ids are those of the organization and the events, so that a reader
 * shows each event once, from whatever host it comes. (RFC 4287, 4.1)
 *
 * @param now the time of the feed when there is no event
 */
export function atomFeed(orgId: string, events: readonly EventRow[], now: Date): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'utf-8' },
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: `urn:uuid:${orgId}`,
      title: 'DMARC Ledger events',
      updated: instantText(events[0]?.created_at ?? now),
      author: { name: 'DMARC Ledger' },
      link: [{ '@rel': 'self', '@href': '/ext/v1/events.atom' }, { '@href': pathIn(orgId, '/events') }],
      entry: events.map((event) => entryOf(orgId, event)),
    },
  });
}

/** Text without the two characters beside controls that XML must not contain. (XML 1.0, 2.2) */
function xmlText(text: string): string {
  return printableText(text, LONGEST).replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD');
}

function entryOf(orgId: string, { id, type, severity, title, message, link, created_at }: EventRow) {
  return {
    id: `urn:uuid:${id}`,
    title: xmlText(title),
    updated: instantText(created_at),
    category: [
      { '@term': type, '@label': labels.get(type) ?? type },
      { '@term': severity, '@label': severity },
    ],
    link: { '@href': pathIn(orgId, link === '' ? '/events' : link) },
    summary: xmlText(message),
  };
}
