import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { commandCost, type CommandPlace } from '../command.ts';
import { sumOf, type Cost } from '../cpu.ts';
import { middleCost, repeat, spread } from '../rounds.ts';
import { digits, type Row } from '../row.ts';

const AT_MOST = { version: 0.15, other: 0.5 };

/** What commands cost that have nothing to do, on a migrated database: processor time of command and database. */
export async function start({ lab, options }: Bench): Promise<Row[]> {
  const databaseUrl = await lab.createDatabase(true);
  const place: CommandPlace = { databaseUrl, dataDir: await mkdtemp(join(lab.folder, 'data-')) };
  const empty = join(place.dataDir, 'empty');
  await mkdir(empty);
  let made = 0;
  const commands: { name: string; args: () => string[]; atMost: number }[] = [
    { name: '--version', args: () => ['--version'], atMost: AT_MOST.version },
    { name: 'migrate', args: () => ['migrate'], atMost: AT_MOST.other },
    { name: 'org create', args: () => ['org', 'create', `Bench ${(made += 1)}`], atMost: AT_MOST.other },
    { name: 'ingest', args: () => ['ingest', empty, '--org', 'Bench 1'], atMost: AT_MOST.other },
  ];
  try {
    const rows: Row[] = [];
    for (const { name, args, atMost } of commands) {
      const costs: Cost[] = await repeat(options.rounds * 2 + 1, () => commandCost(lab, place, args()));
      const { client, server, wall } = middleCost(costs);
      rows.push({
        name: `start: ${name}`,
        detail: `${digits(client)} + ${digits(server)} server, ${digits(wall)} by the clock`,
        unit: 's',
        measured: spread(costs.map(sumOf)),
        target: { atMost },
      });
    }
    return rows;
  } finally {
    await lab.dropDatabase(databaseUrl);
    await rm(place.dataDir, { recursive: true });
  }
}
