import type { Refusal } from '@dmarc-ledger/vocabulary';
import { errorMessage } from '@dmarc-ledger/vocabulary';
import type { Blocklist } from './blocklist.ts';
import { builtInLists } from './built-in-lists.ts';
import { FieldReader } from './field-reader.ts';
import { readList } from './read-list.ts';

/** The lists in a file, and all its faults. With faults, the lists must not be used. */
export interface ReadBlocklists {
  lists: Blocklist[];
  faults: Refusal[];
}

const MAX_LISTS = 200;
const FILE_FIELDS = ['built_in', 'lists'];

/**
 * Reads BLOCKLISTS_FILE: `{ "built_in": true, "lists": [ … ] }`. A list with the `id` of a built-in one changes the
 * given fields (`{ "id": "spamhaus-zen", "key": "…" }`, `{ "id": "s5h", "enabled": false }`); any other is the
 * operator's own list.
 */
export function readBlocklists(text: string): ReadBlocklists {
  const faults: Refusal[] = [];
  const file = new FieldReader(parse(text, faults), 'The file', faults);
  if (faults.length > 0) return { lists: [], faults };
  file.only(FILE_FIELDS);
  const lists = new Map<string, Blocklist>();
  if (file.flag('built_in') ?? true) for (const list of builtInLists) lists.set(list.id, list);
  const seen = new Set<string>();
  for (const [index, entry] of file.list('lists', MAX_LISTS).entries()) {
    const reader = new FieldReader(entry, `lists[${index}]`, faults);
    const id = reader.slug('id');
    if (id === undefined) continue;
    if (seen.has(id)) reader.refuse('blocklist_duplicate', `${id} stands there twice`);
    seen.add(id);
    const list = readList(reader, id, lists.get(id));
    if (list) lists.set(id, list);
  }
  return { lists: [...lists.values()].sort(byRank), faults };
}

function parse(text: string, faults: Refusal[]): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch (error) {
    faults.push({ code: 'blocklists_malformed', message: `The file is no JSON: ${errorMessage(error)}` });
    return {};
  }
}

function byRank(a: Blocklist, b: Blocklist): number {
  return a.rank - b.rank || (a.name < b.name ? -1 : 1);
}
