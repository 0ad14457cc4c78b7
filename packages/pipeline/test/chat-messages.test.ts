import { expect, it } from 'vitest';
import { chatMessage } from '../src/notifications/chat-messages.ts';
import { inertMarkup } from '../src/notifications/inert-markup.ts';

const hostile =
  '<!channel> @all ~town-square # *bold* www.evil.example [click](https://evil.example) <https://evil.example> & \u0007';
const notice = {
  id: '01JX5T3Z8QK6W4V9N2M7R1C0BD',
  type: 'spoofing_campaign',
  type_label: 'Spoofing campaign',
  severity: 'critical' as const,
  title: `Title ${hostile}`,
  message: `Message ${hostile}`,
  domain: 'example.com',
  link: 'https://app.example.com/domains/example.com',
  created_at: '2026-03-01T12:00:00Z',
  organization_id: '01JX5SZK9D8Y7Q3M4P2B6T1HVA',
  organization_name: `Customer ${hostile}`,
};

/** Every object within a value. */
function* objectsIn(value: unknown): Generator<{ [key: string]: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { ...value };
  for (const each of Object.values(value)) yield* objectsIn(each);
}

it('a message in Slack has what strangers wrote as plain text alone, and mentions no one', () => {
  const message = chatMessage('slack', notice);
  const texts = [...objectsIn(message)].filter(({ type }) => type === 'plain_text' || type === 'mrkdwn');
  expect(new Set(texts.map(({ type }) => type))).toEqual(new Set(['plain_text']));
  expect(message).toMatchObject({ text: expect.stringContaining('&lt;!channel&gt;') });
  expect(JSON.stringify(message)).toContain('"url":"https://app.example.com/domains/example.com"');
});

it('a message in Slack is complete without its blocks, which Mattermost ignores, and inert in Markdown', () => {
  const plain = {
    ...notice,
    title: 'Title',
    message: 'Its _dmarc.example.com is gone.',
    organization_name: 'Example Ltd',
  };
  expect(chatMessage('slack', plain)).toMatchObject({
    text: [
      'Title',
      String.raw`Its \_dmarc.example.com is gone.`,
      'Critical · Spoofing campaign · example.com · Example Ltd · 2026-03-01T12:00:00Z',
      'https://app.example.com/domains/example.com',
    ].join('\n'),
  });
  const { text } = chatMessage('slack', notice) as { text: string };
  const strangers = text.split('\n').slice(0, 3).join('\n');
  expect(text.split('\n')).toHaveLength(4);
  expect(strangers).not.toMatch(/[<>]|(?<!\\)[*[\]#]|@\w|~\w|:\/\/|www\./i);
});

it.each([
  ['<!channel> & <@U1>', '&lt;!channel&gt; &amp; &lt;@\u200BU1&gt;'],
  ['@channel @all ~town-square', '@\u200Bchannel @\u200Ball ~\u200Btown-square'],
  ['[click](https://evil.example)', '\\[click\\](https:\u200B//evil.example)'],
  ['![](http://evil.example/x.png)', '!\\[\\](http:\u200B//evil.example/x.png)'],
  ['WWW.evil.example', 'WWW\u200B.evil.example'],
  ['# *a* ~~b~~ `c` \\', '\\# \\*a\\* ~\u200B~\u200Bb~\u200B~\u200B \\`c\\` \\\\'],
  ['_dmarc.example.com, key_1, _a_', '\\_dmarc.example.com, key_1, \\_a\\_'],
])('of %s, Slack and Mattermost show the characters alone', (text, inert) => {
  expect(inertMarkup(text)).toBe(inert);
});

it('a message in Teams has what strangers wrote where Markdown is not read', () => {
  const message = chatMessage('teams', notice);
  const runs = [...objectsIn(message)].filter(({ text }) => typeof text === 'string');
  expect(runs.length).toBe(3);
  expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['TextRun']));
  expect([...objectsIn(message)].map(({ type }) => type)).toContain('Action.OpenUrl');
});

it.each(['slack', 'teams'] as const)('a message in %s fits, and has no button, where links have no host', (kind) => {
  const long = { ...notice, title: 'x'.repeat(9_000), message: '', link: '/domains/example.com' };
  const message = chatMessage(kind, long);
  expect(JSON.stringify(message).length).toBeLessThan(8_000);
  expect(JSON.stringify(message)).not.toContain('"/domains');
  const headers = [...objectsIn(message)].filter(({ type }) => type === 'header');
  for (const { text } of headers) expect(text).toMatchObject({ text: 'x'.repeat(150) });
});
