import { findCheckChanges, findChecks, findMonitored, type StoredCheck } from '@dmarc-ledger/db';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { checkDomain } from '@dmarc-ledger/pipeline';
import { lookupEnv, readEnv } from '@dmarc-ledger/runtime';
import { instantText, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { openLookups } from '@dmarc-ledger/worker-service';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson, type Row } from '../print.ts';
import { orgIdOf, withHouse } from '../with-house.ts';

const CHANGES_SHOWN = 20;

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<domain>')
    .description('look at what a domain publishes now, and show the evidence')
    .requiredOption('--org <id>')
    .option('--json')
    .action((name: string, options: { org: string; json?: boolean }) =>
      withHouse(async (work) => {
        const { database } = work.house;
        const orgId = await orgIdOf(work, options.org);
        const normalized = normalizeDomain(name);
        const domain = normalized && (await findMonitored(database.db, orgId, normalized));
        if (!domain)
          throw new CliError('not_found', `The organization does not monitor ${name}; see: dmarc-ledger domain list`);
        const onFault = (message: string, error: unknown) => work.log.warn({ error }, message);
        const env = readEnv(lookupEnv, process.env);
        const lookups = work.use(await openLookups({ ...env, ENRICHMENT: 'off' }, database, onFault), (opened) =>
          opened.close(),
        );
        const needs = { database, organizationalDomain: publicSuffixDomains(), ask: lookups.askDns };
        await checkDomain(needs, { orgId, domainId: domain.id });
        const checks = await findChecks(database.db, orgId, domain.id);
        const changes = await findCheckChanges(database.db, orgId, domain.id, CHANGES_SHOWN);
        if (options.json) return printJson({ domain: normalized, checks: checks.map(story), changes });
        print(checks.map(checkRow), options);
        for (const { subject, records } of checks)
          for (const record of records) print([{ published: subject, record }], options);
      }),
    );
}

function story({ org_id: _org, domain_id: _domain, ...check }: StoredCheck) {
  return check;
}

function checkRow({ subject, status, details, inherited_from, changed_at }: StoredCheck): Row {
  return { what: subject, status, details, from: inherited_from, since: instantText(changed_at) };
}
