import { useFrame } from '../../page/frame.ts';
import { enforcementTexts } from '@dmarc-ledger/enforcement';
import { enforcementWords } from '../../texts/enforcement.ts';
import { Explain } from '../../views/explain.tsx';
import { ConfidenceNote } from '../../views/confidence.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { WindowForm } from '../../views/window-form.tsx';
import type { EnforcementBody } from './enforcement-body.ts';
import { PathToReject } from './path-to-reject.tsx';
import { Refused } from './refused.tsx';
import { Readiness } from './readiness.tsx';
import { Steps } from './steps.tsx';

/** The verdict on the next step, what every step would have done, the path, and what RFC 9989 changes. */
export function Enforce({ answer, aliasOf }: { answer: EnforcementBody; aliasOf: string | undefined }) {
  const { formats } = useFrame();
  const { domain, days, from, to, verdict, verdict_text, policy, confidence } = answer;
  const isDone = verdict === enforcementTexts.verdict.ready && answer.next_step === null;
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <div class="head">
        <h1>Enforcement of {domain}</h1>
        <WindowForm days={days} />
      </div>
      <section class="panel">
        <h2>
          {isDone ? enforcementWords.done : enforcementWords.verdict(verdict)}
          <Explain term="what_if" />
        </h2>
        <p>{verdict_text}</p>
        <p class="small">
          <ConfidenceNote confidence={confidence} />
        </p>
        <p class="soft small">
          {formats.day(from)} to {formats.day(to)}. Policy: {enforcementWords.policy(policy)}.
        </p>
      </section>
      <Refused answer={answer} />
      <Steps answer={answer} />
      <PathToReject answer={answer} aliasOf={aliasOf} />
      <Readiness items={answer.readiness} />
      <p>
        <PageLink to="/enforcement">All domains on the path</PageLink>
      </p>
    </>
  );
}
