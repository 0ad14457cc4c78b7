import type { Day } from '@dmarc-ledger/vocabulary';
import type { ConfidenceBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../page/frame.ts';
import { policyText, type ShownPolicy } from '../texts/policy.ts';
import { ConfidenceNote } from './confidence.tsx';
import { Explain } from './explain.tsx';
import { PageLink } from './page-link.tsx';

/** The score of a domain or of all, from 0 to 100, with its grade; none is known before the first message counts. */
export function Score({ score, grade, isKnown = true }: { score: number; grade: string; isKnown?: boolean }) {
  return (
    <div>
      <dt>
        Score
        <Explain term="score" />
      </dt>
      <dd>
        {isKnown ? (
          <>
            {score} <small>of 100, grade {grade}</small>
          </>
        ) : (
          'none yet'
        )}
      </dd>
    </div>
  );
}

interface PassRateProps {
  rate: number;
  /** What it is a rate of; without any, there is none. */
  messages: number;
  confidence?: ConfidenceBody | undefined;
}

/** The percentage of messages that passed DMARC, and the confidence in it. */
export function PassRate({ rate, messages, confidence }: PassRateProps) {
  const { formats } = useFrame();
  return (
    <div>
      <dt>
        Passed DMARC
        <Explain term="compliance" />
      </dt>
      <dd>
        {messages === 0 ? (
          'no mail'
        ) : (
          <>
            {formats.percent(rate)} {confidence && <ConfidenceNote confidence={confidence} />}
          </>
        )}
      </dd>
    </div>
  );
}

/** The policy of a domain in a word. */
export function Policy({ of }: { of: ShownPolicy }) {
  return (
    <div>
      <dt>
        Policy
        <Explain term="policy" />
      </dt>
      <dd>{policyText(of)}</dd>
    </div>
  );
}

interface WindowMessagesProps {
  messages: number;
  /** Where these messages were reported; absent for all domains, as no list has the days of each. */
  reports?: string;
  /** The last day of the window; null before the first, absent for all domains, each of which has its own. */
  to?: Day | null;
}

/** The messages that a score is made of, and of which days they are. */
export function WindowMessages({ messages, reports, to }: WindowMessagesProps) {
  const { formats } = useFrame();
  const count = formats.count(messages);
  const days =
    to === undefined ? 'in the last 30 days of each domain' : to === null ? '' : `in the 30 days to ${formats.day(to)}`;
  return (
    <div>
      <dt>
        Messages
        <Explain term="window" />
      </dt>
      <dd>
        {reports === undefined ? count : <PageLink to={reports}>{count}</PageLink>} <small>{days}</small>
      </dd>
    </div>
  );
}
