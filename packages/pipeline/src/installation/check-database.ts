import { findHeldIntake, inspectWork } from '@dmarc-ledger/ledger';
import { type Database, type DatabaseSettings, type Db, inspectDatabase } from '@dmarc-ledger/schema';
import { error, ok, warning, type Finding } from './finding.ts';

const OLDEST_VERSION = 150_000;
const SKEW_SECONDS = 5;
/** The most organizations that one finding names. */
const NAMED = 5;
const [DELIVERY_LATE, ANNOUNCEMENT_LATE, ROLLUP_LATE] = [900, 120, 600];

/** The database server, its clock, and whether row-level security applies. */
export async function checkDatabase({ db }: Database): Promise<Finding[]> {
  const settings = await inspectDatabase(db);
  return [checkServer(settings), checkWall(settings)];
}

function checkServer({ version, clockSkew, encoding }: DatabaseSettings): Finding {
  const number = `${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < OLDEST_VERSION)
    return error('database', `PostgreSQL ${number} is too old.`, 'Use PostgreSQL 15 or newer.');
  if (encoding !== 'UTF8')
    return error('database', `Its encoding is ${encoding}.`, 'Create the database again, with encoding UTF8.');
  if (Math.abs(clockSkew) > SKEW_SECONDS) {
    const says = `Its clock is ${Math.round(clockSkew)} s from this machine’s.`;
    return warning('database', says, 'Set both clocks by NTP.');
  }
  return ok('database', `PostgreSQL ${number}`);
}

function checkWall({ user, missingRoles }: DatabaseSettings): Finding {
  if (missingRoles.length === 0) return ok('isolation', 'Row-level security applies to the API and the pages.');
  const says = `The user ${user} cannot take ${missingRoles.join(' and ')}: what reads by it has no row-level security.`;
  return warning('isolation', says, 'See docs/security.md: the roles of the API and the pages.');
}

/**
 * Finds deliveries that wait for the next day, because the organization receives more records than it may store in a
 * day.
 */
async function checkIntake(db: Db, otherwise: string): Promise<Finding> {
  const held = await findHeldIntake(db);
  const [first] = held;
  if (!first) return ok('intake', otherwise);
  const deliveries = held.reduce((sum, one) => sum + one.deliveries, 0);
  const names = held.slice(0, NAMED).map(({ name }) => name);
  return warning(
    'intake',
    `${deliveries} deliveries wait until ${first.until.toISOString()}: ${names.join(', ')} had too many records today.`,
    'See who sends them: dmarc-ledger intake list --code record_budget',
  );
}

/** Finds work that has waited longer than it should. */
export async function checkWork({ db }: Database): Promise<Finding[]> {
  const { delivery, announcement, rollup, quarantined, suspendedZones } = await inspectWork(db);
  const late = (seconds: number | null, limit: number) => seconds !== null && seconds > limit;
  const minutes = (seconds: number | null) => `${Math.round((seconds ?? 0) / 60)} minutes`;
  return [
    late(delivery, DELIVERY_LATE)
      ? error('intake', `A delivery has waited for ${minutes(delivery)}.`, 'Check that an ingester runs, and its log.')
      : await checkIntake(db, delivery === null ? 'Nothing waits.' : 'Deliveries are being read.'),
    late(announcement, ANNOUNCEMENT_LATE)
      ? error(
          'work',
          `Queued work has waited for ${minutes(announcement)}.`,
          'Check that a worker runs and that Redis answers.',
        )
      : late(rollup, ROLLUP_LATE)
        ? error(
            'work',
            `Figures have waited for repair for ${minutes(rollup)}.`,
            'Check that a worker runs that serves the queue rollups.',
          )
        : ok('work', 'Nothing waits too long.'),
    quarantined > 0
      ? warning(
          'quarantine',
          `${quarantined} deliveries are quarantined: reading them failed three times, or ended the process each time.`,
          'See: dmarc-ledger intake list --state quarantined',
        )
      : ok('quarantine', 'No delivery is quarantined.'),
    suspendedZones > 0
      ? warning(
          'blocklists',
          `${suspendedZones} zones are suspended: they were shut down, or refuse to answer.`,
          'Many lists refuse public resolvers: set DNS_SERVERS to your own resolver. For a list that is gone, see ' +
            'BLOCKLISTS_FILE in docs/enrichment.md.',
        )
      : ok('blocklists', 'No zone is suspended.'),
  ];
}
