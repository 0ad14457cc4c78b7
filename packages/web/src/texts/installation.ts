import type { InstallationPartState } from '@dmarc-ledger/queries';

type Part = InstallationPartState['part'];

/** Each part of the installation: who finds its state, and how old that may be, in minutes. */
export const installationParts: { [part in Part]: { title: string; by: string; minutes: number | null } } = {
  ledger: { title: 'Database, work and mailboxes', by: 'the scheduler', minutes: 5 },
  queues: { title: 'Queues', by: 'a worker', minutes: 5 },
  disk: { title: 'Disk', by: 'an ingester', minutes: 5 },
  doctor: { title: 'What needs the network', by: 'dmarc-ledger doctor', minutes: null },
};

export const installationTexts = {
  intro:
    'What each process last found. This page asks nothing of other systems; for that, run the command dmarc-ledger ' +
    'doctor.',
  silent: (by: string) => `Nothing new for more than five minutes: check that ${by} runs, and its log.`,
  never: (by: string) => `Nothing was found yet by ${by}.`,
  healthy: 'Everything is in order',
  faults: (faults: number) => (faults === 1 ? 'One thing needs you' : `${faults} things need you`),
};
