import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answers } from './support/answers.ts';
import { botnet, host } from './support/hosts.ts';
import { ownMail } from './support/mail.ts';
import { openWorlds, type Worlds } from './support/worlds.ts';

let worlds: Worlds;
beforeAll(async () => {
  worlds = await openWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

it('960 messages with forged signatures from twelve networks are a spoofing campaign, no forwarding', async () => {
  const domain = 'wave.example';
  const own = host('mail.wave.example');
  const forged = { broken: 'forged', path: 'evil.example' };
  const world = await worlds.of({
    domain,
    dmarc: 'p=quarantine',
    spf: `ip4:${own.ip} -all`,
    selectors: ['s1'],
    streams: [ownMail(own, domain), { from: botnet(12, 'smtp#.evil.example'), daily: 80, days: [1, 1], mail: forged }],
  });
  const { senders, health, score, events, items, messagesOf } = await world.answers(domain);
  expect(new Set(Object.values(senders))).toEqual(new Set(['authenticated', 'needs_review']));
  expect(senders['mail.wave.example']).toBe('authenticated');
  expect(await world.provedMessages()).toBe(0);
  // 20,000 of 20,960 pass, by SPF as by DKIM; P is 75: 0.8 * 95.42 + 15
  expect(score).toMatchObject({ compliance_rate: 95.42, policy_strength: 75, overall_score: 91.34, grade: 'A-' });
  expect(health.verdict).toBe('Strong: 95.42% of mail passes DMARC.');
  expect(items[0]).toBe('high spoofing_campaign');
  expect(events).toEqual(['first_report_received', 'spoofing_campaign']); // it stands for all of its sources
  expect(messagesOf('spoofing_campaign')).toEqual([
    expect.stringMatching(/^960 messages from 12 addresses failed DMARC for wave\.example on [\d-]{10}\.$/),
  ]);
});

it('the same wave against a locked domain is reported, and costs the domain nothing', async () => {
  const domain = 'locked.example';
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject',
    spf: '-all',
    streams: [
      {
        from: botnet(12, 'smtp#.thieves.example'),
        daily: 80,
        days: [1, 1],
        mail: { broken: 's1', path: 'thieves.example' },
      },
    ],
  });
  const { health, score, events, items, overview } = await world.answers(domain);
  expect(await world.provedMessages()).toBe(0);
  expect(score).toMatchObject({ overall_score: 100, grade: 'A+', compliance_rate: 0, policy_strength: 100 });
  expect(health.verdict).toBe('Locked: it sends no mail; receivers were asked to reject 960 forged messages.');
  expect(items[0]).toBe('high spoofing_campaign');
  expect(items).not.toContain('low dns_bimi');
  expect(events).toContain('spoofing_campaign');
  expect(events).not.toContain('compliance_drop');
  expect(overview.domain_cards).toMatchObject([{ domain, score: 100, grade: 'A+' }]);
});

it('twenty forged selectors change nothing in health or events', async () => {
  const story = (domain: string, selectors: readonly string[]) => {
    const own = host(`mail.${domain}`);
    const from = botnet(20, `vps#.${domain}.attackers.example`);
    const forged = from.map((one, i) => ({
      from: one,
      daily: 2,
      mail: { failedPath: domain, ...(selectors[i] !== undefined && { broken: selectors[i] }) },
    }));
    const spf = `ip4:${own.ip} -all`;
    return { domain, dmarc: 'p=reject', spf, selectors: ['s1'], streams: [ownMail(own, domain), ...forged] };
  };
  const forged = Array.from({ length: 20 }, (_, i) => `forged${i}`);
  const world = await worlds.of(story('plain.example', []), story('selectors.example', forged));
  const [plain, other] = [await world.answers('plain.example'), await world.answers('selectors.example')];
  expect(other.health.dns.dkim).toEqual({ status: 'ok', details: '1 DKIM selector has a valid key.' });
  const figuresOf = ({ health: { dns, verdict, compliance, overall_score } }: Answers) => ({
    dns,
    verdict,
    compliance,
    overall_score,
  });
  expect(JSON.parse(JSON.stringify(figuresOf(other)).replaceAll('selectors.example', 'plain.example'))).toEqual(
    figuresOf(plain),
  );
  expect(other.items).toEqual(plain.items);
  expect(other.events).toEqual(plain.events);
  expect(other.events).toEqual(['first_report_received']);
});

it('a botnet with reverse DNS of its own passes for no forwarder, not even where it calls itself a relay', async () => {
  const domain = 'botnet.example';
  const own = host('mail.botnet.example');
  // the broken signature names the real selector, which has passed before: F5 and F6, and F8 where the name says relay
  const forged = { broken: 's1', path: 'bots.example' };
  const world = await worlds.of({
    domain,
    dmarc: 'p=reject',
    spf: `ip4:${own.ip} -all`,
    selectors: ['s1'],
    streams: [
      ownMail(own, domain),
      { from: botnet(6, 'node#.bots.example'), daily: 49, days: [1, 1], mail: forged },
      { from: botnet(6, 'relay#.bots.example'), daily: 49, days: [1, 1], mail: forged },
    ],
  });
  const { senders, events, health, score } = await world.answers(domain);
  expect(senders['node1.bots.example']).toBe('needs_review');
  expect(senders['relay1.bots.example']).toBe('likely_forwarded');
  expect(await world.provedMessages()).toBe(0);
  expect(events).toContain('spoofing_campaign'); // 588 messages of 12 addresses in 12 networks
  // 20,000 of 20,588 pass: 0.8 * 97.14 + 20
  expect(score).toMatchObject({ compliance_rate: 97.14, overall_score: 97.71, grade: 'A+' });
  expect(health.verdict).toBe('Protected: 97.14% of mail passes DMARC, and receivers are asked to reject the rest.');
});
