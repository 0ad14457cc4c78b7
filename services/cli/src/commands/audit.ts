import { findDrift, measureProof, type Proof, rebuildRollups } from '@dmarc-ledger/ledger';
import { auditJudgement, auditRaw, repairRollups } from '@dmarc-ledger/pipeline';
import { counted, idText } from '@dmarc-ledger/vocabulary';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { Command } from 'commander';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { keptOrganizationsOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';

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
      'check every figure: compute rollups and classes again from the records, and the records of a sample from the ' +
        'raw bytes; the drift must be 0',
    )
    .addOption(orgFilter())
    .option('--repair', 'rebuild the rollups that are wrong')
    .addOption(jsonOption())
    .addHelpText('after', examples('audit', "audit --org 'My organization' --repair"))
    .action((options: AuditOptions) => withInstallation((work) => audit(work, options)));
}

async function audit(work: Work, options: AuditOptions): Promise<void> {
  const { database } = work.installation;
  const organizationalDomain = publicSuffixDomains();
  const audits = [];
  for (const { id, name } of await keptOrganizationsOf(work, options.org)) {
    if (options.repair) {
      await rebuildRollups(database, id);
      await repairRollups({ database }, { orgId: id });
    }
    const drift = await findDrift(database, id);
    const raw = await auditRaw(work.installation, id, SAMPLE);
    const proof = await measureProof(database.db, id);
    const judged = await auditJudgement({ database, organizationalDomain }, id);
    audits.push({
      org: idText(id),
      name,
      drift: drift.reduce((sum, { rows }) => sum + rows, 0) + raw.differing.length + judged.differing,
      messages: proof,
      tables: drift,
      raw: { ...raw, differing: raw.differing.map(idText) },
      judged: {
        ...judged,
        reports: judged.reports.map(idText),
        records: judged.records.map((record) => ({ ...record, report: idText(record.report) })),
      },
    });
  }
  if (audits.some(({ raw }) => raw.missing > 0)) process.exitCode = INCOMPLETE;
  if (audits.some(({ drift }) => drift > 0)) process.exitCode = 1;
  if (options.json) return printJson(audits);
  for (const { name, drift, messages, tables, raw, judged } of audits) {
    process.stdout.write(`${name}: drift ${drift}\n`);
    printTable([
      ...tables.map(({ table, rows }) => ({ table, drift: rows })),
      { table: `raw bytes (${raw.checked} reports read again)`, drift: raw.differing.length },
      { table: `classes (${judged.checked} failing records judged again)`, drift: judged.differing },
    ]);
    process.stdout.write(`${proofText(messages)}\n`);
    if (raw.missing > 0)
      process.stdout.write(`${raw.missing} reports cannot be read again: their raw bytes are not at BLOB_URL.\n`);
  }
}

/** What the counted messages rest on, in a sentence. */
export function proofText({ proven, bytesDeleted, imported }: Proof): string {
  const parts = [`${counted(proven, 'message')} proved by raw bytes of reporters`];
  if (bytesDeleted > 0)
    parts.push(`${counted(bytesDeleted, 'message')} of reports whose raw bytes retention has deleted`);
  parts.push(`${counted(imported, 'message')} resting on an import alone`);
  return `${parts.join(', ')}.`;
}
