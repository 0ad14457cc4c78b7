import { addressFacts, type Enrichment, findEnrichments, senderOf } from '@dmarc-ledger/facts';
import { takeInHand } from '@dmarc-ledger/ledger';
import { findListResults } from '@dmarc-ledger/queries';
import { enrichAddresses } from '@dmarc-ledger/pipeline';
import { abuseStatusOf, isNamed, reasonOf, spamSignals, type ListResult } from '@dmarc-ledger/sources';
import { canonicalIp, geoAttribution, instantText, present } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { openLookupsOf } from '../open-outside.ts';
import { examples, jsonOption } from '../options.ts';
import { print, printJson, type Row } from '../print.ts';
import { withInstallation } from '../with-installation.ts';

export function enrichCommand(): Command {
  return new Command('enrich')
    .argument('<ip>', 'an IPv4 or IPv6 address')
    .description('look up an address now, and show each fact with its source and age')
    .addOption(jsonOption())
    .addHelpText('after', examples('enrich 8.8.8.8'))
    .action((ip: string, options: { json?: boolean }) =>
      withInstallation(async (work) => {
        const { database } = work.installation;
        const address = canonicalIp(ip);
        if (!address) throw new CliError('usage', `${ip} is not an IP address.`);
        const lookups = await openLookupsOf(work, 'on');
        await lookups.geo.open(); // names a file that cannot be read: a worker goes on without it
        await takeInHand(database, [address]);
        await enrichAddresses(
          { database, outside: present(lookups.outside), everything: true },
          { addresses: [address] },
        );
        const [row] = await findEnrichments(database.db, [address]);
        const results = await findListResults(database.db, address);
        if (options.json) printJson(toJson(present(row), results));
        else {
          print(factRows(present(row)), options);
          if (results.length > 0) print(results.map(listRow), options);
          process.stdout.write(`${geoAttribution.text}\n`);
        }
      }),
    );
}

/** All known facts, for JSON. */
function toJson(row: Enrichment, results: ListResult[]) {
  const sender = senderOf(row);
  const facts = addressFacts(row, sender);
  return { ...row, sender, signals: facts ? spamSignals(facts) : null, results };
}

/** Each fact with its value, its source and its age. */
function factRows(row: Enrichment): Row[] {
  const sender = senderOf(row);
  const place = [row.city, row.country].filter((part) => part !== null).join(', ');
  const network = row.asn === null ? null : `AS${row.asn} ${row.isp ?? ''}`;
  const geo = { source: 'geo data', age: row.geo_build && `built ${row.geo_build}` };
  const dns = { source: 'DNS', age: ageOf(row.ptr_at) };
  const abuse = { source: row.abuse_source ?? 'no reputation service', age: ageOf(row.abuse_at) };
  const lists = { source: `blocklists (${row.list_scope ?? 'none asked'})`, age: ageOf(row.lists_at) };
  return [
    { fact: 'address', value: row.address, source: '', age: '' },
    { fact: 'place', value: place || null, ...geo },
    { fact: 'network', value: network, ...geo },
    { fact: 'host name', value: row.hostname, ...dns },
    { fact: 'resolves back', value: row.ptr_state, ...dns },
    { fact: 'service', value: sender && `${sender.name} (${sender.strength})`, source: witnesses(sender), age: '' },
    { fact: 'may be named', value: isNamed(sender ?? undefined) ? 'yes' : 'no', source: '', age: '' },
    {
      fact: 'abuse',
      value: row.abuse_score === null ? 'not scored' : `${abuseStatusOf(row.abuse_score)}, ${row.abuse_score} %`,
      ...abuse,
    },
    { fact: 'blocklists', value: row.verdict?.summary ?? 'not checked', ...lists },
    { fact: 'looked up again', value: instantText(row.due_at), source: '', age: '' },
  ];
}

function listRow(result: ListResult): Row {
  const { name, status, tier } = result;
  return { list: name, status, tier, reason: reasonOf(result) };
}

function witnesses(sender: ReturnType<typeof senderOf>): string {
  return sender?.witnesses.map(({ evidence, seen }) => `${evidence} ${seen}`).join(', ') ?? '';
}

function ageOf(at: Date | null): string | null {
  if (!at) return null;
  const seconds = Math.max(Math.round((Date.now() - at.getTime()) / 1000), 0);
  return seconds < 120
    ? `${seconds} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;
}
