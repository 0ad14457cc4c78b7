import type { DnsFact } from './dns-fact.ts';
import type { RecordData, RecordType } from './record.ts';

/** What a fact takes beside its records, and a record beside its data. */
const FACT = 400;
const RECORD = 150;

/** About how many bytes of memory a fact takes: a stranger's answer may be long. */
export function factWeight(fact: DnsFact): number {
  if (!('authority' in fact)) return FACT;
  const data = fact.outcome === 'answer' ? fact.data : [];
  const authority = fact.authority.map((record) => record.data);
  return [...data, ...authority].reduce((sum, item) => sum + RECORD + dataBytes(item), FACT);
}

function dataBytes(data: RecordData[RecordType]): number {
  if (typeof data === 'string') return data.length;
  if (!Array.isArray(data)) return RECORD;
  return (data as readonly Uint8Array[]).reduce((sum, part) => sum + RECORD + part.length, 0); // a TXT record's strings
}
