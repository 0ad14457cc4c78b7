import { alertSeverities, type ChatKind, cutText, type EventSeverity, printableText } from '@dmarc-ledger/vocabulary';
import { inertMarkup } from './inert-markup.ts';
import type { Notice } from './notice.ts';

/** The longest header of Slack; its sections take 3,000 characters. */
const LONGEST_TITLE = 150;
const LONGEST_TEXT = 2_000;

const colors: { [severity in EventSeverity]: string } = { critical: 'attention', warning: 'warning', info: 'default' };

/**
 * Returns the notice as the body of a message in a channel. What strangers chose is plain text in it: it mentions
 * no one, and makes no links.
 */
export function chatMessage(kind: ChatKind, notice: Notice): object {
  return kind === 'slack' ? slackMessage(notice) : teamsMessage(notice);
}

/**
 * Blocks of Slack: `plain_text` is not read as its markup. `text` is; it says the same in lines, for what a screen
 * notifies of, and for Mattermost, which takes these messages and ignores their blocks.
 */
function slackMessage(notice: Notice): object {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const { title, message, facts, link } = partsOf(notice);
  return {
    text: [...[title, message, facts].filter((line) => line !== '').map(inertMarkup), ...(link ? [link] : [])].join(
      '\n',
    ),
    blocks: [
      { type: 'header', text: plain(cutText(title, LONGEST_TITLE)) },
      ...(message === '' ? [] : [{ type: 'section', text: plain(message) }]),
      { type: 'context', elements: [plain(facts)] },
      ...(link ? [{ type: 'actions', elements: [{ type: 'button', text: plain('Open'), url: link }] }] : []),
    ],
  };
}

/** A card of Teams (Adaptive Cards 1.2): a `TextRun`, unlike a `TextBlock`, is not read as Markdown. */
function teamsMessage(notice: Notice): object {
  const { title, message, facts, link } = partsOf(notice);
  const rich = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [
      rich(title, { weight: 'bolder', size: 'medium', color: colors[notice.severity] }),
      ...(message === '' ? [] : [rich(message)]),
      rich(facts, { isSubtle: true, size: 'small' }),
    ],
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function partsOf(notice: Notice) {
  const { title, message, severity, type_label, domain, link, created_at, organization_name } = notice;
  const label = alertSeverities.find(({ code }) => code === severity)?.label ?? severity;
  return {
    title: printableText(title, LONGEST_TEXT),
    message: printableText(message, LONGEST_TEXT),
    facts: printableText(
      [label, type_label, ...(domain ? [domain] : []), organization_name, created_at].join(' · '),
      LONGEST_TEXT,
    ),
    link: /^https?:/.test(link) ? link : undefined,
  };
}
