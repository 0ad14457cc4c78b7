const ZERO_WIDTH_SPACE = '\u200B';

/**
 * Text that is shown as it is by Slack, which reads entities and its own markup, and by Mattermost, which reads
 * Markdown: it mentions no person, channel or group, and makes no link, image, heading or emphasis. A zero-width space
 * breaks what a backslash does not: mentions by `@` and `~`, and addresses that become links by themselves.
 */
export function inertMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*[\]|#]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`)
    .replaceAll(/[@~]|:(?=\/\/)|www(?=\.)/giu, `$&${ZERO_WIDTH_SPACE}`);
}
