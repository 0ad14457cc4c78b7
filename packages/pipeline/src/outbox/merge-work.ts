import type { JobEntry } from '@dmarc-ledger/queues';

/** Jobs that name a list of their organization's items, by the field that has it, and how many one job may name. */
const MERGED = {
  alignReports: { field: 'reportIds', most: 250 },
  classifyReports: { field: 'reportIds', most: 250 },
  judgeSources: { field: 'addresses', most: 200 },
} as const;

type MergedJob = keyof typeof MERGED;

/**
 * Joins jobs of one kind and organization into fewer jobs that name all their items, each item once. What a job costs
 * besides its items is then paid once. An entry of another shape stays as it is: the queue refuses it.
 */
export function mergeWork(entries: readonly JobEntry[]): JobEntry[] {
  const merged: JobEntry[] = [];
  const open = new Map<string, { job: MergedJob; orgId: string; items: Set<string> }>();
  for (const entry of entries) {
    const list = listOf(entry);
    if (!list) {
      merged.push(entry);
      continue;
    }
    const { job, orgId } = list;
    const group = open.get(`${job} ${orgId}`) ?? { job, orgId, items: new Set() };
    for (const item of list.items) group.items.add(item);
    open.set(`${job} ${orgId}`, group);
  }
  for (const { job, orgId, items } of open.values()) {
    const { field, most } = MERGED[job];
    for (const some of inGroups([...items], most)) merged.push({ job, payload: { orgId, [field]: some } });
  }
  return merged;
}

function listOf({ job, payload }: JobEntry): { job: MergedJob; orgId: string; items: string[] } | undefined {
  if (!isMerged(job) || typeof payload !== 'object' || payload === null || !('orgId' in payload)) return undefined;
  const items: unknown = Object.entries(payload).find(([field]) => field === MERGED[job].field)?.[1];
  if (typeof payload.orgId !== 'string' || !Array.isArray(items) || items.length === 0) return undefined;
  return items.every((item) => typeof item === 'string') ? { job, orgId: payload.orgId, items } : undefined;
}

function isMerged(job: string): job is MergedJob {
  return Object.hasOwn(MERGED, job);
}

function* inGroups(items: readonly string[], most: number): Generator<string[]> {
  for (let at = 0; at < items.length; at += most) yield items.slice(at, at + most);
}
