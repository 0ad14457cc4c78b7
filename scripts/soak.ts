import { runOpenly } from './steps.ts';

/** The numbers with which the tests of scale run for hours; the environment overrides them. */
const FIGURES = {
  ENRICHED_ADDRESSES: '5000',
  ENRICHMENT_KILLS: '10',
  MODEL_SEQUENCES: '400',
  ARRIVAL_ROUNDS: '20',
  EVENT_EVALUATORS: '4',
  MAIL_REPORTS: '10000',
  MAIL_BACKLOG: '20000',
  CRASH_ROUNDS: '5',
  CRASH_QUEUES: 'Postgres,Redis',
  DISTRIBUTED_REPORTS: '20000',
  DISTRIBUTED_KILLS: '100',
  PLANNED_REPORTS: '2000',
  PLANNED_RECORDS: '500',
  IMPORTED_REPORTS: '100000',
  KILLED_REPORTS: '5000',
  KILLED_SOURCES: 'all',
  TEST_TIMEOUT_MS: '7200000',
  SEED: String(Date.now() % 1_000_000),
};

const FILES = [
  'packages/pipeline/test/enrichment-truth',
  'packages/pipeline/test/enrichment-crash',
  'packages/pipeline/test/model.db',
  'packages/pipeline/test/arrival-order',
  'packages/pipeline/test/sixty-days',
  'packages/pipeline/test/plans.db',
  'test/mailbox-truth',
  'test/mailbox-backlog',
  'test/mailbox-crash',
  'test/crash.e2e',
  'test/distributed',
  'services/cli/test/import.e2e',
  'services/cli/test/import-crash.e2e',
];

Object.assign(process.env, { ...FIGURES, ...process.env });
const files = process.argv.length > 2 ? process.argv.slice(2) : FILES;
process.exitCode = (await runOpenly({ name: 'soak', command: ['vitest', 'run', '--project', 'all', ...files] }))
  ? 0
  : 1;
