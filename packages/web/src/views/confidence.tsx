import type { ConfidenceBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../page/frame.ts';
import { confidenceWords } from '../texts/coverage.ts';
import { Explain } from './explain.tsx';

/** The confidence in a rate, to stand beside it: its level, and between what the rate lies. */
export function ConfidenceNote({ confidence }: { confidence: ConfidenceBody }) {
  const { formats } = useFrame();
  const { level, lowest_rate: lowest, highest_rate: highest } = confidence;
  const isKnown = lowest !== null && highest !== null;
  return (
    <small>
      {confidenceWords.levels[level]}
      {isKnown && `, ${formats.percent(lowest)} to ${formats.percent(highest)}`}
      <Explain term="confidence" />
    </small>
  );
}

/** Its level alone, for the rows of a table; explained in the heading, or on the page that a row leads to. */
export function ConfidenceLevel({ confidence: { level } }: { confidence: ConfidenceBody }) {
  return <span class="soft">{confidenceWords.levels[level]}</span>;
}

/** A rate in a row of a table, with the level of the confidence in it. */
export function Rate({ rate, confidence }: { rate: number; confidence: ConfidenceBody | undefined }) {
  const { formats } = useFrame();
  return (
    <>
      {formats.percent(rate)}
      {confidence && (
        <div class="small">
          <ConfidenceLevel confidence={confidence} />
        </div>
      )}
    </>
  );
}
