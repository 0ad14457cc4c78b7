import { findDrift, listOrganizations, rebuildRollups } from '@dmarc-ledger/db';
import { auditJudgement, auditRaw, repairRollups } from '@dmarc-ledger/pipeline';
import { idText } from '@dmarc-ledger/vocabulary';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { Command } from 'commander';
import { printJson, printTable } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';

const SAMPLE = 100;
const INCOMPLETE = 3;

interface AuditOptions {
  org?: string;
  repair?: boolean;
  json?: boolean;
}

export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'compute every figure again from the records, the classes of failing records, and records from the raw bytes for a sample; drift must be 0',
    )
    .option('--org <id>', 'one organization; all when not told')
    .option('--repair', 'make the rollups anew')
    .option('--json')
    .action((options: AuditOptions) => withInstallation((work) => audit(work, options)));
}

async function audit(work: Work, options: AuditOptions): Promise<void> {
  const { database } = work.installation;
  const organizationalDomain = publicSuffixDomains();
  const orgs = options.org
    ? [{ id: await orgIdOf(work, options.org), name: options.org }]
    : await listOrganizations(database.db);
  const told = [];
  for (const { id, name } of orgs) {
    if (options.repair) {
      await rebuildRollups(database, id);
      await repairRollups({ database }, { orgId: id });
    }
    const drift = await findDrift(database, id);
    const raw = await auditRaw(work.installation, id, SAMPLE);
    const judged = await auditJudgement({ database, organizationalDomain }, id);
    told.push({
      org: idText(id),
      name,
      drift: drift.reduce((sum, { rows }) => sum + rows, 0) + raw.differing.length + judged.differing,
      tables: drift,
      raw: { ...raw, differing: raw.differing.map(idText) },
      judged: { ...judged, reports: judged.reports.map(idText) },
    });
  }
  if (told.some(({ raw }) => raw.missing > 0)) process.exitCode = INCOMPLETE;
  if (told.some(({ drift }) => drift > 0)) process.exitCode = 1;
  if (options.json) return printJson(told);
  for (const { name, drift, tables, raw, judged } of told) {
    process.stdout.write(`${name}: drift ${drift}\n`);
    printTable([
      ...tables.map(({ table, rows }) => ({ table, drift: rows })),
      { table: `raw bytes (${raw.checked} reports read again)`, drift: raw.differing.length },
      { table: `classes (${judged.checked} failing records judged again)`, drift: judged.differing },
    ]);
    if (raw.missing > 0)
      process.stdout.write(`${raw.missing} reports cannot be read again: their raw bytes are not at BLOB_URL.\n`);
  }
}
