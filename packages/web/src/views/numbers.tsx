import type { ConfidenceBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../page/frame.ts';
import { ConfidenceNote } from './confidence.tsx';
import { Explain } from './explain.tsx';

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
