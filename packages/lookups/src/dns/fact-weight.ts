import type { DnsFact } from './dns-fact.ts';
import type { RecordData, RecordType } from './record.ts';

/** The size of a fact without its records, and of a record without its data. */
const FACT = 400;
const RECORD = 150;

/** Estimates the bytes of memory of a fact, as others choose the length of an answer. */
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
