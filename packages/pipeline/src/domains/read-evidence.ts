import {
  readKeys,
  readServerAnswers,
  readSpfTree,
  type Ask,
  type CheckContext,
  type DomainEvidence,
  type SpfTree,
} from '@dmarc-ledger/dns-records';

/** The body of each subject of evidence that a check has found something about. */
type Evidence = { [subject in keyof DomainEvidence]: NonNullable<DomainEvidence[subject]>['body'] };

/** A tree that could not be read whole does not take the place of one that was, for so many days. */
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Reads in detail what a domain publishes. The checks have asked most questions before, and the client asks each only
 * once. What is not answered keeps what `before` has.
 */
export async function readEvidence(
  ask: Ask,
  { domain, selectors, now, inheritedFrom }: CheckContext & { inheritedFrom: string | undefined },
  before: DomainEvidence,
): Promise<Evidence> {
  const [servers, tree, keys] = await Promise.all([
    readServerAnswers(ask, domain, { selectors, inheritedFrom }),
    readSpfTree(ask, domain),
    readKeys(ask, selectors, before.dkim_keys?.body ?? [], now),
  ]);
  const evidence: Evidence = { dkim_keys: keys };
  if (Object.keys(servers).length > 0) evidence.name_servers = servers;
  if (tree && isBetter(tree, before.spf_tree, now)) evidence.spf_tree = tree;
  return evidence;
}

function isBetter(tree: SpfTree, before: DomainEvidence['spf_tree'], now: Date): boolean {
  if (tree.isComplete || !before?.body.isComplete || before.body.record !== tree.record) return true;
  return now.getTime() - before.readAt.getTime() > KEPT_DAYS * DAY_MS;
}
