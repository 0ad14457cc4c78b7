import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { enforcementWords } from '../../texts/enforcement.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';
import type { EnforcementBody } from './enforcement-body.ts';

type Step = EnforcementBody['steps'][number];
type Sender = Step['senders'][number];

/** The senders of one step that are shown; the API has the first 1,000. */
const SHOWN = 25;

/** What each step would have done; the next one is open. */
export function Steps({ answer: { steps, next_step, domain, days } }: { answer: EnforcementBody }) {
  const { formats } = useFrame();
  const columns: Column<Step>[] = [
    { label: 'Step', isName: true, cell: ({ step }) => enforcementWords.steps[step] },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Failing', isNumber: true, cell: ({ failing_messages }) => formats.count(failing_messages) },
    { label: 'Newly affected', isNumber: true, cell: ({ newly_affected_messages: all }) => formats.count(all) },
    { label: 'Ours', isNumber: true, cell: ({ by_decision }) => formats.count(by_decision.ours) },
    { label: 'Forwarded', isNumber: true, cell: ({ by_decision }) => formats.count(by_decision.forwarded) },
    { label: 'Not ours', isNumber: true, cell: ({ by_decision }) => formats.count(by_decision.not_ours) },
    { label: 'Undecided', isNumber: true, cell: ({ by_decision }) => formats.count(by_decision.undecided) },
  ];
  return (
    <section class="panel">
      <h2>What each step would have done in {days} days</h2>
      <Table caption="Messages" columns={columns} rows={steps} keyOf={({ step }) => step} empty="" />
      {steps.map((step) => (
        <details key={step.step} open={step.step === next_step}>
          <summary>
            {enforcementWords.steps[step.step]}: {formats.count(step.senders_total)}{' '}
            {step.senders_total === 1 ? 'sender' : 'senders'}
          </summary>
          <Senders domain={domain} step={step} />
        </details>
      ))}
    </section>
  );
}

function Senders({ domain, step }: { domain: string; step: Step }) {
  const { formats, url } = useFrame();
  const columns: Column<Sender>[] = [
    {
      label: 'Sender',
      isName: true,
      cell: ({ id, name, is_blocker }) => (
        <>
          <PageLink to={`/senders/sender?${new URLSearchParams({ domain, sender: id })}`}>{name}</PageLink>
          {is_blocker && <div class="small">Look at this one first</div>}
        </>
      ),
    },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Addresses', isNumber: true, cell: ({ addresses }) => formats.count(addresses) },
    { label: 'Decision', cell: ({ decision }) => (decision ? enforcementWords.decisions[decision] : 'undecided') },
    { label: 'What to do', isName: true, cell: ({ fix }) => fix },
  ];
  return (
    <>
      <Table
        caption="Most affected messages first"
        columns={columns}
        rows={step.senders.slice(0, SHOWN)}
        keyOf={({ id }) => id}
        empty="No mail would have been affected."
      />
      {step.senders_total > SHOWN && (
        <p class="soft small">
          The first {SHOWN} of {formats.count(step.senders_total)} are shown.
        </p>
      )}
      {step.senders_total > 0 && (
        <p>
          <PageLink to={withFilter(url, '/senders', { domain, days: undefined })}>Decide about senders</PageLink>
        </p>
      )}
    </>
  );
}
