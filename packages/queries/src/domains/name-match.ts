import type { Db } from '@dmarc-ledger/schema';
import { normalizeDomain, unicodeDomain } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Condition } from '../lists/sorted-list.ts';
import { contains } from '../lists/text-match.ts';

/** The maximum length of a name, and so of a pattern. */
const LONGEST = 255;
const NOT_ASCII = /[^\0-\x7f]/; // oxlint-disable-line no-control-regex -- the ASCII range is what is asked for

/**
 * Returns the organization's domains whose name contains this part, in any case, in the form that people or the DNS
 * use: a dot may follow the last label, and a part beyond ASCII is searched in the displayed names (U-labels).
 */
export async function findDomainsLike(db: Db, orgId: string, part: string): Promise<string[]> {
  const text = withoutDot(part);
  if (text.length > LONGEST) return [];
  const ofOrg = db.selectFrom('domain').select(['id', 'name']).where('org_id', '=', orgId);
  const pattern = NOT_ASCII.test(text) ? '%xn--%' : contains(text);
  const rows = await ofOrg.where('name', 'ilike', pattern).execute();
  return idsOf(rows.filter(({ name }) => isDomainLike(name, part)));
}

/** True if one domain's name contains this part, by the same rules. */
export function isDomainLike(name: string, part: string): boolean {
  const displayed = NOT_ASCII.test(part) ? unicodeDomain(name) : name;
  return `${displayed}.`.includes(part.normalize().toLowerCase());
}

/** The name of a row of `reporter` as its reports state it. */
export const statedReporterName = sql<string>`coalesce(reporter.stated_name, reporter.name)`;

/** Returns the one reporter that counts by this name, which may have the domain of a contact address behind it. */
export async function findReporterNamed(db: Db, orgId: string, name: string): Promise<string[]> {
  const rows = db.selectFrom('reporter').select('id').where('org_id', '=', orgId).where('name', '=', name);
  return idsOf(await rows.execute());
}

/**
 * Returns the reporters whose name, as sent, contains this part, as written, or as a domain name in its other form. A
 * dot may follow a domain name; any other at the end is part of what is searched.
 */
export async function findReportersLike(db: Db, orgId: string, part: string): Promise<string[]> {
  const text = withoutDot(part);
  if (text.length > LONGEST) return [];
  const rows = db.selectFrom('reporter').select('id').where('org_id', '=', orgId);
  const isWritten = text !== part && !text.includes('.');
  const forms = isWritten ? [part] : [...new Set([text, normalizeDomain(text), unicodeDomain(text)])];
  const end = isWritten ? '' : part.slice(text.length);
  return idsOf(await rows.where((eb) => eb.or(forms.map((form) => containsFolded(end, `${form}${end}`)))).execute());
}

/**
 * True if a name, with `end` behind it, contains a text, in any case. `ilike` folds by the database's locale, which for
 * a C locale covers ASCII only; other letters are searched in both cases.
 */
function containsFolded(end: string, text: string): Condition {
  const name = end === '' ? statedReporterName : sql`(${statedReporterName} || ${end}::text)`;
  if (!NOT_ASCII.test(text)) return sql`${name} ilike ${contains(text)}`;
  return sql`${name} ~ ${[...text].map(eitherCase).join('')}`;
}

/** A regular expression that matches one character in either case. */
function eitherCase(character: string): string {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return `(?:${[...cases].map((one) => one.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`;
}

function withoutDot(part: string): string {
  return part.endsWith('.') ? part.slice(0, -1) : part;
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
