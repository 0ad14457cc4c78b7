import { mayDo } from '../../page/viewer.ts';
import { useFrame } from '../../page/frame.ts';
import { PageLink, useMayOpen } from '../../views/page-link.tsx';
import { SeverityTag } from '../../views/tags.tsx';
import { linkWords, messageOf } from '../../texts/event-words.ts';
import type { ShownEvent } from './event-of.ts';
import { PostForm } from '../../views/post-form.tsx';

interface EventListProps {
  events: readonly ShownEvent[];
  /** Where acknowledging leads. */
  back: string;
  empty?: string;
}

/** Events, newest first, each with where it is resolved, who dealt with it, and a button to acknowledge it. */
export function EventList({ events, back, empty = 'Nothing has happened yet.' }: EventListProps) {
  if (events.length === 0) return <p class="soft">{empty}</p>;
  return (
    <ul class="items">
      {events.map((event) => (
        <Event key={event.id} event={event} back={back} />
      ))}
    </ul>
  );
}

function Event({ event, back }: { event: ShownEvent; back: string }) {
  const { formats, viewer } = useFrame();
  const mayOpen = useMayOpen();
  const { link, acknowledged } = event;
  const message = messageOf(event, formats);
  const mayAcknowledge = viewer !== undefined && mayDo(viewer.role, 'acknowledge');
  return (
    <li id={`event-${event.id}`} class="event">
      <div>
        <SeverityTag code={event.severity} /> <strong>{event.title}</strong>{' '}
        <span class="soft small">
          {formats.instant(event.createdAt)}
          {event.resolvedAt && `, over since ${formats.instant(event.resolvedAt)}`}
        </span>
        {message !== undefined && <p>{message}</p>}
      </div>
      <div class="actions">
        {link && mayOpen(link) && <PageLink to={link}>{linkWords(link)}</PageLink>}
        {acknowledged ? (
          <span class="soft small">
            Acknowledged{acknowledged.by && ` by ${acknowledged.by}`} on {formats.instant(acknowledged.at)}
          </span>
        ) : (
          mayAcknowledge && (
            <PostForm action={`/events/${event.id}/acknowledge`} class="inline">
              <input type="hidden" name="back" value={back} />
              <button aria-label={`Acknowledge: ${event.title}`}>Acknowledge</button>
            </PostForm>
          )
        )}
      </div>
    </li>
  );
}
