import type { CoverageBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { ConfidenceNote } from '../../views/confidence.tsx';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { WindowForm } from '../../views/window-form.tsx';
import { CoveredDays } from './covered-days.tsx';
import { CoveringReporters } from './covering-reporters.tsx';

/** The confidence in a domain's rate, what stands out, the days, and the reporters. */
export function CoverageView({ answer }: { answer: CoverageBody }) {
  const { formats } = useFrame();
  const { domain, days, from, to, messages, confidence, findings } = answer;
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <div class="head">
        <h1>Coverage of {domain}</h1>
        <WindowForm days={days} />
      </div>
      <section class="panel">
        <h2>{messages === 0 ? 'No mail is reported' : 'How much do these figures see?'}</h2>
        <dl class="numbers">
          <div>
            <dt>
              Passed DMARC
              <Explain term="compliance" />
            </dt>
            <dd>
              {messages === 0 ? 'no mail' : formats.percent(answer.compliance_rate)}{' '}
              <ConfidenceNote confidence={confidence} />
            </dd>
          </div>
          <div>
            <dt>Seen</dt>
            <dd>
              {confidence.seen_rate === null ? 'not known' : formats.percent(confidence.seen_rate)}{' '}
              <small>of the expected mail</small>
            </dd>
          </div>
          <div>
            <dt>Not seen</dt>
            <dd>
              {formats.count(answer.unseen_messages)} <small>messages, an estimate</small>
            </dd>
          </div>
          <div>
            <dt>In doubt</dt>
            <dd>
              {formats.percent(answer.doubtful_rate)}{' '}
              <small>of {formats.counted(messages, 'message', 'messages')}</small>
            </dd>
          </div>
        </dl>
        <p>{confidence.text}</p>
        {findings.map((finding) => (
          <p key={finding}>{finding}</p>
        ))}
        <p class="soft small">
          {formats.day(from)} to {formats.day(to)}. Receivers that never send reports stay invisible.
        </p>
      </section>
      <CoveringReporters answer={answer} />
      <CoveredDays answer={answer} />
    </>
  );
}
