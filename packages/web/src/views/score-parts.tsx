import type { Score } from '@dmarc-ledger/scoring';
import { useFrame } from '../page/frame.ts';
import { Explain } from './explain.tsx';
import { Table, type Column } from './table.tsx';

/** One part of a score: its own value of 100, and its share of the whole. (rules, scores/score) */
interface Part {
  name: string;
  value: number;
  weight: number;
}

interface ScorePartsProps {
  /** Undefined before there is one. */
  score: Omit<Score, 'score'> | undefined;
  /** Of a domain that sends no mail and has all of it rejected. (rules, scores/locked-domains) */
  isLocked?: boolean;
  /** Reports arrive, and all are dated after today. */
  isAhead?: boolean;
}

/** What each part of the score costs, the most expensive first: that is what would win most. */
export function ScoreParts({ score, isLocked = false, isAhead = false }: ScorePartsProps) {
  const { formats } = useFrame();
  const ofMail = (value: number) => (isLocked ? 100 : value);
  const parts: Part[] = score
    ? [
        { name: 'Mail that passed DMARC', value: ofMail(score.compliance), weight: 40 },
        { name: 'Mail with aligned SPF', value: ofMail(score.spf), weight: 20 },
        { name: 'Mail with aligned DKIM', value: ofMail(score.dkim), weight: 20 },
        { name: 'Policy', value: score.policy, weight: 20 },
      ]
    : [];
  const lost = ({ value, weight }: Part) => ((100 - value) * weight) / 100;
  const columns: Column<Part>[] = [
    { label: 'Part', isName: true, cell: ({ name }) => name },
    { label: 'Weight', isNumber: true, cell: ({ weight }) => `${formats.count(weight)} %` },
    { label: 'Reached', isNumber: true, cell: ({ value }) => formats.percent(value) },
    { label: 'Points lost', isNumber: true, cell: (part) => lost(part).toFixed(1) },
  ];
  return (
    <section class="panel">
      <h2>
        Where the score comes from
        <Explain term="score" />
      </h2>
      <Table
        caption="The part that costs most stands first"
        columns={columns}
        rows={parts.toSorted((a, b) => lost(b) - lost(a))}
        keyOf={({ name }) => name}
        empty={
          isAhead
            ? 'No score yet: every report is dated after today, and counts once its day has come.'
            : 'No score before the first report.'
        }
      />
      {isLocked && (
        <p class="soft">
          The domain sends no mail and has all of it rejected, so what concerns mail counts as reached: none of it is
          its own.
        </p>
      )}
    </section>
  );
}
