import {
  alertTypes,
  present,
  type AlertCode,
  type AlertPage,
  type EventSeverity,
  type Place,
} from '@dmarc-ledger/vocabulary';
import { rearmOf, type Rearm } from './rearm.ts';

/** The outcome of a rule for one condition. A condition without a judgement is unknown for now. */
export type Judgement = Holding | Over;

/** A condition that holds, in the words of its event. */
export interface Holding {
  state: 'holds';
  type: AlertCode;
  /** Unique among the conditions of the organization; begins with the type. */
  key: string;
  /** Empty when the condition concerns the whole organization. */
  domain: string;
  severity: EventSeverity;
  title: string;
  message: string;
  /** Where it is resolved. */
  place: Place;
  rearm: Rearm;
  /** Identifies the change, for types that are raised at each change. Later changes sort after earlier ones. */
  occurrence: string;
}

export interface Over {
  state: 'over';
  key: string;
  /** Set: only while this event reports the condition. */
  eventId?: string;
}

export interface HoldingParts {
  domain: string;
  /** The parts of the key after the type, with the domain first if there is one. Defaults to the domain alone. */
  parts?: readonly string[];
  message?: string;
  severity?: EventSeverity;
  /** What the title names behind a colon, in place of the domain; the address where there is one. */
  name?: string;
  /** In place of the title that follows from the type. */
  title?: string;
  /** The address of the source. */
  ip?: string;
  /** The DNS record concerned. */
  protocol?: string;
  occurrence?: string;
  rearm?: Rearm;
}

const types = new Map(alertTypes.map((type) => [type.code, type]));

export function keyOf(type: AlertCode, ...parts: readonly string[]): string {
  return [type, ...parts].join('/');
}

/**
 * Builds a condition that holds, with its texts; the label stands in for a missing message. (rules,
 * events/texts-of-events)
 */
export function holding(type: AlertCode, given: HoldingParts): Holding {
  const { domain, ip, parts = domain === '' ? [] : [domain], occurrence = '', rearm = rearmOf[type] } = given;
  const { label, severity, page } = present(types.get(type)); // the table has every code
  const about = domain === '' ? label : `${label} for ${domain}`;
  const { message = `${about}.`, name = ip } = given;
  return {
    state: 'holds',
    type,
    key: keyOf(type, ...parts),
    domain,
    severity: given.severity ?? severity,
    title: given.title ?? (name === undefined ? about : `${label}: ${name}`),
    message,
    place: placeOf(page, given),
    rearm,
    occurrence,
  };
}

function placeOf(page: AlertPage, { domain, ip = '', protocol = '' }: HoldingParts): Place {
  if (page === 'source') return { page, ip };
  if (page === 'dns_record') return { page, domain, protocol };
  if (page === 'ingest' || page === 'api_keys') return { page };
  return { page, domain };
}

export function over(type: AlertCode, ...parts: readonly string[]): Over {
  return { state: 'over', key: keyOf(type, ...parts) };
}
