import { countsStill } from '@dmarc-ledger/facts';
import { findDomainId, findServerAnswers, type NameAnswers } from '@dmarc-ledger/queries';
import type { Protocol } from '@dmarc-ledger/vocabulary';
import type { PageNeeds } from './define-page.ts';

interface Place {
  domain: string;
  protocol: Protocol;
  /** Where the record belongs. */
  name: string;
}

/** Where the alias leads that a check of the last week found at the name of a record; undefined without one. */
export async function findAlias({ db, viewer, now }: PageNeeds, place: Place): Promise<string | undefined> {
  const domainId = await findDomainId(db, viewer.orgId, place.domain);
  if (domainId === undefined) return undefined;
  const said = await findServerAnswers(db, viewer.orgId, domainId, place.protocol);
  return said && countsStill(said.readAt, now) ? aliasesOf(said.answers).get(place.name) : undefined;
}

/** The names that are aliases, and where each leads. */
export function aliasesOf(answers: readonly NameAnswers[]): Map<string, string> {
  return new Map(
    answers.flatMap(({ name, servers }) => {
      const alias = aliasOf(servers);
      return alias === undefined ? [] : [[name, alias]];
    }),
  );
}

export function aliasOf(servers: readonly NameAnswers['servers'][number][]): string | undefined {
  return servers.find(({ alias }) => alias !== undefined)?.alias;
}
