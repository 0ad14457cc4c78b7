import { expect, it } from 'vitest';
import { kindOfUrl, shownAddress } from '../src/index.ts';

it.each([
  ['https://hooks.slack.com/services/T0/B0/secret', 'slack'],
  ['https://example.webhook.office.com/webhookb2/x', 'teams'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'teams'],
  ['https://default1.2.environment.api.powerplatform.com/powerautomate/x', 'teams'],
  ['https://hooks.example.com/dmarc', 'webhook'],
  ['https://hooks.slack.com.evil.example/services', 'webhook'],
  ['https://nothooks.slack.com/services', 'webhook'],
])('%s is taken for %s', (url, kind) => {
  expect(kindOfUrl(new URL(url))).toBe(kind);
});

it('a list shows where a channel is, and not what opens it', () => {
  expect(shownAddress('slack', 'https://hooks.slack.com/services/T0/B0/secret')).toBe('https://hooks.slack.com/…');
  expect(shownAddress('webhook', 'https://hooks.slack.com/services/T0/B0/secret')).toBe('https://hooks.slack.com/…');
  expect(shownAddress('webhook', 'https://hooks.example.com/dmarc')).toBe('https://hooks.example.com/dmarc');
  expect(shownAddress('email', 'a@example.com')).toBe('a@example.com');
});
