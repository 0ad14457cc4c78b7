import { alertTypes, present, type AlertCode, type EventSeverity } from '@dmarc-ledger/vocabulary';
import { rearmOf, type Rearm } from './rearm.ts';

/** What a rule makes of one condition. Of a condition that no judgement names nothing is known now. */
export type Judgement = Holding | Over;

/** A condition that holds, as an event tells of it. */
export interface Holding {
  state: 'holds';
  type: AlertCode;
  /** Tells it from every other condition of its organization; begins with the type. */
  key: string;
  /** Empty: about the whole organization. */
  domain: string;
  severity: EventSeverity;
  title: string;
  message: string;
  link: string;
  rearm: Rearm;
  /** Of what is told at each change: which change. Later ones sort after earlier ones. */
  occurrence: string;
}

export interface Over {
  state: 'over';
  key: string;
}

export interface Told {
  domain: string;
  /** What the key adds, the domain first where there is one; the domain alone when left out. */
  parts?: readonly string[];
  message?: string;
  severity?: EventSeverity;
  /** Of a source. */
  ip?: string;
  /** The DNS record that it is about. */
  protocol?: string;
  occurrence?: string;
  rearm?: Rearm;
}

const types = new Map(alertTypes.map((type) => [type.code, type]));

export function keyOf(type: AlertCode, ...parts: readonly string[]): string {
  return [type, ...parts].join('/');
}

/** A condition that holds, in words: what has no message of its own says its label. (rules, events/texts-of-events) */
export function holding(type: AlertCode, told: Told): Holding {
  const { domain, ip, protocol, parts = domain === '' ? [] : [domain], occurrence = '', rearm = rearmOf[type] } = told;
  const { label, severity, link } = present(types.get(type)); // every code is in the table
  const about = domain === '' ? label : `${label} for ${domain}`;
  const { message = `${about}.` } = told;
  const names: { [name: string]: string | undefined } = { domain, ip, protocol };
  return {
    state: 'holds',
    type,
    key: keyOf(type, ...parts),
    domain,
    severity: told.severity ?? severity,
    title: ip === undefined ? about : `${label}: ${ip}`,
    message,
    link: link.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? '')),
    rearm,
    occurrence,
  };
}

export function over(type: AlertCode, ...parts: readonly string[]): Over {
  return { state: 'over', key: keyOf(type, ...parts) };
}
