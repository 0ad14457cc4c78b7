import type { Moment, Stream } from './streams.ts';
import type { SampleDomain, SampleRecord } from './facts.ts';
import type { Random } from './random.ts';

/** What one receiver, which gets this share of all mail, saw of a domain on a day. */
export function recordsOf(
  { domain, streams }: { domain: SampleDomain; streams: Stream[] },
  share: number,
  moment: Moment,
  random: Random,
): SampleRecord[] {
  return streams.flatMap((stream) => {
    const messages = Math.round(stream.volume(moment) * share * (0.7 + 0.6 * random.next()));
    const sources = Math.min(stream.spread, messages);
    return Array.from({ length: sources }, (_, i) => ({
      ...recordOf(domain, stream, moment, random),
      count: part(messages, sources, i),
    }));
  });
}

function recordOf(
  domain: SampleDomain,
  { sources, judge }: Stream,
  moment: Moment,
  random: Random,
): Omit<SampleRecord, 'count'> {
  const { reason, headerFrom = domain.name, ...found } = judge(moment, random);
  const isCompliant = found.dkim === 'pass' || found.spf === 'pass';
  return {
    ...found,
    reason,
    headerFrom,
    sourceIp: random.pick(sources),
    disposition: isCompliant || reason ? 'none' : domain.policy,
    envelopeFrom: found.spfResult.domain,
    envelopeTo: random.pick(['customers.example', 'partners.example', 'readers.example']),
  };
}

/** A share of the messages, so that all shares add up to all messages. */
function part(messages: number, parts: number, index: number): number {
  return Math.floor((messages * (index + 1)) / parts) - Math.floor((messages * index) / parts);
}
