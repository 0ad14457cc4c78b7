import type { Day } from '@dmarc-ledger/vocabulary';
import type { ConfidenceBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../page/frame.ts';
import { ConfidenceNote } from './confidence.tsx';
import { Explain } from './explain.tsx';
import { PageLink } from './page-link.tsx';

/** The score of a domain or of all, from 0 to 100, with its grade. */
export function Score({ score, grade }: { score: number; grade: string }) {
  return (
    <div>
      <dt>
        Score
        <Explain term="score" />
      </dt>
      <dd>
        {score} <small>of 100, grade {grade}</small>
      </dd>
    </div>
  );
}

/** The percentage of messages that passed DMARC, and the confidence in it. */
export function PassRate({ rate, confidence }: { rate: number; confidence?: ConfidenceBody | undefined }) {
  const { formats } = useFrame();
  return (
    <div>
      <dt>
        Passed DMARC
        <Explain term="compliance" />
      </dt>
      <dd>
        {formats.percent(rate)} {confidence && <ConfidenceNote confidence={confidence} />}
      </dd>
    </div>
  );
}

interface WindowMessagesProps {
  messages: number;
  /** Where these messages were reported. */
  reports: string;
  /** The last day of the window; absent for all domains together, each of which has its own. */
  to?: Day | null;
}

/** The messages that a score is made of, and of which days they are. */
export function WindowMessages({ messages, reports, to }: WindowMessagesProps) {
  const { formats } = useFrame();
  return (
    <div>
      <dt>
        Messages
        <Explain term="window" />
      </dt>
      <dd>
        <PageLink to={reports}>{formats.count(messages)}</PageLink>{' '}
        <small>{to ? `in the 30 days to ${formats.day(to)}` : 'in the last 30 days of each domain'}</small>
      </dd>
    </div>
  );
}
