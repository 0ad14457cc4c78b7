import type { OrgReporter } from '@dmarc-ledger/api/answers';
import type { Day } from '@dmarc-ledger/vocabulary';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { ReporterTable } from '../reporters/reporter-table.tsx';

const MOST = 8;

/** Who reports, the reporters that have stopped first. (rules, coverage/silent-reporters) */
export function Reporters({ reporters, today }: { reporters: readonly OrgReporter[]; today: Day }) {
  const { formats, url } = useFrame();
  const shown = reporters.slice(0, MOST);
  const all = formats.counted(reporters.length, 'reporter', 'reporters');
  const stopped = reporters.filter(({ state }) => state === 'silent').length;
  return (
    <section class="panel">
      <h2>
        {stopped === 0
          ? 'Reporters'
          : stopped === 1
            ? 'One reporter has stopped'
            : `${formats.count(stopped)} reporters have stopped`}
        <Explain term="stopped" />
      </h2>
      <ReporterTable
        caption={`${formats.count(shown.length)} of ${all} of the last 30 days`}
        reporters={shown}
        today={today}
      />
      {reporters.length > 0 && (
        <p class="small">
          <PageLink to={withFilter(url, '/reporters')}>All reporters</PageLink>
        </p>
      )}
    </section>
  );
}
