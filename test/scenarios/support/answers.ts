import { getAll, getJson } from '../../support/api.ts';
import { expectAgreement } from './agreement.ts';
import { nameOf } from './hosts.ts';

/** What the endpoints answer about one domain, and about the whole organization. */
export interface Answers {
  /** The class of each sender of the domain, by host name. */
  senders: { [name: string]: string };
  /** What the figures of the domain add up to. */
  totals: { total_messages: number; total_reports: number };
  /** All that is known of one of its sources, by host name. */
  detailOf: (name: string) => Promise<SourceAnswer>;
  health: HealthAnswer;
  score: ScoreAnswer;
  /** `high dns_dmarc` and so on, in order. */
  items: string[];
  /** The types of the domain's open and ended events, sorted, each as often as it was raised. */
  events: string[];
  /** The messages of the domain's events of a type. */
  messagesOf: (type: string) => string[];
  overview: OverviewAnswer;
}

export interface HealthAnswer {
  overall_score: number;
  grade: string;
  verdict: string;
  total_messages: number;
  dns: { [protocol: string]: { status: string; details: string } };
  compliance: { rate: number; spf_pass: number; dkim_pass: number; policy: string };
  action_items: { type: string; severity: string; title: string; suggested_action: string }[];
  empty_state?: { healthy: boolean; message: string };
}

export interface ScoreAnswer {
  overall_score: number;
  grade: string;
  compliance_rate: number;
  spf_pass_rate: number;
  dkim_pass_rate: number;
  policy_strength: number;
  total_messages: number;
}

export interface OverviewAnswer {
  org_health: { overall_score: number; verdict: string; health_state: string; forwarded_messages: number };
  domain_cards: { domain: string; score: number; grade: string; verdict: string; action_count: number }[];
  action_items_summary: { total_pending: number };
}

export interface SourceAnswer {
  source: { classification: string; total_messages: number; description?: string; blocklist_verdict?: unknown };
}

/** Asks every endpoint that speaks of a domain. */
export async function answersOf(url: string, key: string, domain: string): Promise<Answers> {
  const get = (path: string) => getJson(url + path, key);
  const [health, score, overview, sources, events] = await Promise.all([
    get(`/domains/${domain}/health`) as Promise<HealthAnswer>,
    get(`/compliance-score?domain=${domain}`) as Promise<ScoreAnswer>,
    get('/dashboard/overview') as Promise<OverviewAnswer>,
    getAll(`${url}/sources?domain=${domain}`, key, 'sources'),
    getAll(`${url}/events`, key, 'events'),
  ]);
  const totals: Answers['totals'] = await get(`/statistics?domain=${domain}`);
  expectAgreement({ domain, health, score, overview, sources, totals });
  const own = (events as { type: string; domain: string; message: string }[]).filter((each) => each.domain === domain);
  return {
    senders: Object.fromEntries(
      (sources as { source_ip: string; classification: string }[]).map((source) => [
        nameOf(source.source_ip),
        source.classification,
      ]),
    ),
    totals,
    detailOf: (name) => {
      const found = (sources as { source_ip: string }[]).find((source) => nameOf(source.source_ip) === name);
      return get(`/sources/${found?.source_ip}?domain=${domain}`) as Promise<SourceAnswer>;
    },
    health,
    score,
    items: health.action_items.map(({ severity, type }) => `${severity} ${type}`),
    events: own.map(({ type }) => type).toSorted(),
    messagesOf: (type) => own.filter((each) => each.type === type).map(({ message }) => message),
    overview,
  };
}
