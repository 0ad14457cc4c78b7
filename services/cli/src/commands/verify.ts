import { findChecks, type StoredCheck } from '@dmarc-ledger/facts';
import { findKnownSelectors, findMonitored, findUnknownSelectors } from '@dmarc-ledger/ledger';
import { findCheckChanges, type CheckChange } from '@dmarc-ledger/queries';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { checkDomain } from '@dmarc-ledger/pipeline';
import { addDays, dayOf, instantText, protocols } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { openLookupsOf } from '../open-outside.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { orgIdOf } from '../organizations.ts';
import { print, printJson, type Row } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

const CHANGES_SHOWN = 20;
const SELECTORS_SHOWN = 20;
const STATES = ['dmarc_state', 'forensic_state', 'tlsrpt_state', 'aprf_state'];
const ORDER = [...STATES, ...protocols, 'mx'];

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<domain>', 'such as example.com', readDomainName)
    .description('check now what a domain publishes, and show the evidence and the last changes')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("verify example.com --org 'My organization'"))
    .action((domain: string, options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const { checks, selectors, changes } = await verify(work, domain, options.org);
        if (options.json) return printJson({ domain, checks, selectors, changes });
        print(checks.map(checkRow), options);
        const published = checks.flatMap(({ subject, records }) =>
          records.map((record) => ({ published: subject, record })),
        );
        if (published.length > 0) print(published, options);
        const odd = checks.flatMap(({ subject, notes }) => notes.map((note) => ({ noted: subject, note })));
        if (odd.length > 0) print(odd, options);
        const unknown = selectors.map(({ selector, domain: signer, messages, lastDay }) => ({
          'selector that never passed': selector,
          of: signer,
          messages,
          last: lastDay,
        }));
        if (unknown.length > 0) print(unknown, options);
        print(changes.map(changeRow), options);
      }),
    );
}

async function verify(work: Work, domain: string, org: string) {
  const { database } = work.installation;
  const orgId = await orgIdOf(work, org);
  const monitored = await findMonitored(database.db, orgId, domain);
  if (!monitored)
    throw new CliError(
      'not_found',
      `The organization does not monitor ${domain}; see: dmarc-ledger domain list --org ORG`,
    );
  const lookups = await openLookupsOf(work, 'off');
  const needs = { database, organizationalDomain: publicSuffixDomains(), ask: lookups.askDns, isAnew: true };
  await checkDomain(needs, { orgId, domainId: monitored.id });
  const checks = await findChecks(database.db, orgId, monitored.id);
  const today = dayOf(Math.floor(Date.now() / 1_000));
  const known = await findKnownSelectors(database.db, orgId, monitored.id, { today, limit: 1_000 });
  const range = { known, from: addDays(today, -90), limit: SELECTORS_SHOWN };
  const changes = await findCheckChanges(database.db, orgId, monitored.id, CHANGES_SHOWN);
  return {
    selectors: await findUnknownSelectors(database.db, orgId, monitored.id, range),
    checks: checks.map(withoutKeys).toSorted((a, b) => ORDER.indexOf(a.subject) - ORDER.indexOf(b.subject)),
    changes: changes.map(withoutKeys),
  };
}

function withoutKeys<Kept extends { org_id: string; domain_id: string }>({
  org_id: _org,
  domain_id: _domain,
  ...rest
}: Kept) {
  return rest;
}

function checkRow({
  subject,
  status,
  details,
  inherited_from,
  changed_at,
}: Pick<StoredCheck, 'subject' | 'status' | 'details' | 'inherited_from' | 'changed_at'>): Row {
  return { what: subject, status, details: details || null, from: inherited_from, since: instantText(changed_at) };
}

/** A change, with the records published at the time. */
function changeRow({
  at,
  subject,
  before,
  status,
  records,
}: Pick<CheckChange, 'at' | 'subject' | 'before' | 'status' | 'records'>): Row {
  return { at: instantText(at), what: subject, before, now: status, seen: records.join(' | ') || null };
}
