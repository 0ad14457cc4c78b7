import { randomInt } from 'node:crypto';
import { AUTHENTIC_DATA, encode, RECURSION_DESIRED, type Answer } from 'dns-packet';
import { UDP_PAYLOAD } from './limits.ts';
import type { RecordType } from './record.ts';
import type { Survey } from './survey-message.ts';
import { mixCase } from './encodable-name.ts';

/** The numbers of record types in messages. */
const typeNumbers: { readonly [Type in RecordType]: number } = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  TLSA: 52,
};

/** A server that cannot parse a question may leave it out of its reply. */
const FORMERR = 1;

export interface Question {
  /** Encodable. */
  name: string;
  type: RecordType;
  /** RD: true for a resolver, false for an authoritative server. */
  recursion: boolean;
}

/** A query ready to be sent, with a test for its answer. */
export interface Query {
  bytes: Buffer;
  /** True for the answer to this very query: its id, the QR bit, and its question. */
  isAnsweredBy(survey: Survey): boolean;
}

export interface QueryForm {
  edns: boolean;
  mixCase: boolean;
}

export function buildQuery(question: Question, form: QueryForm): Query {
  const id = randomInt(0x10000);
  const name = form.mixCase ? mixCase(question.name, Math.random) : question.name;
  const bytes = encode({
    type: 'query',
    id,
    flags: question.recursion ? RECURSION_DESIRED | AUTHENTIC_DATA : 0,
    questions: [{ type: question.type, name }],
    additionals: form.edns ? [edns] : [],
  });
  const isSameName = (text: string) => (form.mixCase ? text === name : text.toLowerCase() === name);
  return {
    bytes,
    isAnsweredBy: (survey) => {
      if (survey.id !== id || !survey.isResponse) return false;
      if (!survey.question) return survey.rcode === FORMERR;
      return survey.question.type === typeNumbers[question.type] && isSameName(survey.question.name);
    },
  };
}

const edns: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};
