import type { InstallationPartState } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { installationParts, installationTexts } from '../../texts/installation.ts';
import { Table, type Column } from '../../views/table.tsx';

type Finding = InstallationPartState['found'][number];
type PartName = InstallationPartState['part'];

const ORDER: readonly PartName[] = ['ledger', 'queues', 'disk', 'doctor'];
const TONES: { [state in Finding['state']]: string } = { ok: 'success', warning: 'warning', error: 'critical' };
const MINUTE_MS = 60_000;

/** What was last found of every part, faults first. */
export function Installation({ states, now }: { states: readonly InstallationPartState[]; now: Date }) {
  const faults = states.flatMap(({ found }) => found).filter(({ state }) => state !== 'ok').length;
  return (
    <>
      <h1>Installation</h1>
      <section class="panel">
        <h2>{faults === 0 ? installationTexts.healthy : installationTexts.faults(faults)}</h2>
        <p class="soft">{installationTexts.intro}</p>
      </section>
      {ORDER.map((part) => (
        <Part key={part} part={part} state={states.find((one) => one.part === part)} now={now} />
      ))}
    </>
  );
}

function Part({ part, state, now }: { part: PartName; state: InstallationPartState | undefined; now: Date }) {
  const { formats } = useFrame();
  const { title, by, minutes } = installationParts[part];
  const age = state ? now.getTime() - state.found_at.getTime() : 0;
  const isSilent = minutes !== null && age > minutes * MINUTE_MS;
  const columns: Column<Finding>[] = [
    { label: 'Check', isName: true, cell: ({ check }) => check },
    { label: 'State', cell: ({ state: name }) => <span class={`tag ${TONES[name]}`}>{name}</span> },
    {
      label: 'Finding',
      isName: true,
      cell: ({ says, mend }) => (
        <>
          {says}
          {mend && <div class="soft small">{mend}</div>}
        </>
      ),
    },
  ];
  const rows = (state?.found ?? []).toSorted((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  return (
    <section class="panel">
      <h2>{title}</h2>
      {isSilent && (
        <p class="notice error" role="alert">
          {installationTexts.silent(by)}
        </p>
      )}
      <Table
        caption={state ? `Found by ${by}, ${formats.instant(state.found_at)}` : title}
        columns={columns}
        rows={rows}
        keyOf={({ check }) => check}
        empty={installationTexts.never(by)}
      />
    </section>
  );
}
