import { dirname, join } from 'node:path/posix';
import createMarkdown, { type MarkdownIt, type Token } from 'markdown-it';

/** Where links of the Markdown lead in the help. Both take a path from the root of the repository. */
export interface Targets {
  pageAddress: (source: string) => string | undefined;
  imageAddress: (path: string) => string | undefined;
}

const OUTSIDE = /^[a-z][a-z0-9+.-]*:/i;

/**
 * A renderer for the help: headings have the anchors of GitHub, links lead to pages of the help, and what is no page,
 * such as a source file, is text. Nothing has an inline style, and what may be wide can be scrolled by keys.
 */
export function helpMarkdown(targets: Targets): MarkdownIt {
  const markdown = createMarkdown({ html: true });
  markdown.core.ruler.push('help-anchors', ({ tokens }) => addAnchors(tokens));
  markdown.core.ruler.push('help-links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) leadLinks(children, String(env.source), targets);
  });
  markdown.core.ruler.push('help-tables', (state) => {
    state.tokens.forEach(classForStyle);
    state.tokens = withoutEmptyHeads(state.tokens);
  });
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  rules['table_close'] = () => '</table></div>\n';
  rules['fence'] = (tokens, at) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`;
  return markdown;
}

/** As GitHub makes them: small letters, without marks, spaces as hyphens; a second of one name is numbered. */
function addAnchors(tokens: Token[]): void {
  const taken = new Set<string>();
  tokens.forEach((token, at) => {
    if (token.type !== 'heading_open') return;
    const title = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join('');
    const plain = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = plain;
    for (let count = 1; taken.has(anchor); count += 1) anchor = `${plain}-${count}`;
    taken.add(anchor);
    token.attrSet('id', anchor);
  });
}

function leadLinks(tokens: Token[], source: string, targets: Targets): void {
  const open: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'image') leadImage(token, source, targets);
    if (token.type === 'link_open') open.push(leadLink(token, source, targets));
    if (token.type === 'link_close') token.tag = open.pop()?.tag ?? token.tag;
  }
}

/** Changes where a link leads; one that leads to no page becomes a span that names the file. */
function leadLink(token: Token, source: string, { pageAddress }: Targets): Token {
  const href = String(token.attrGet('href'));
  if (OUTSIDE.test(href)) token.attrSet('rel', 'noreferrer');
  if (OUTSIDE.test(href) || href.startsWith('#')) return token;
  const [path = '', fragment] = href.split('#');
  const file = join(dirname(source), decodeURI(path));
  const address = pageAddress(file);
  if (address === undefined) {
    token.tag = 'span';
    token.attrs = [['title', file]];
  } else {
    token.attrSet('href', fragment === undefined ? address : `${address}#${fragment}`);
  }
  return token;
}

/** @throws {Error} for an image that the help does not have. */
function leadImage(token: Token, source: string, { imageAddress }: Targets): void {
  const file = join(dirname(source), String(token.attrGet('src')));
  const address = imageAddress(file);
  if (address === undefined) throw new Error(`${source} shows ${file}, which is not in docs/images`);
  token.attrSet('src', address);
  token.attrSet('loading', 'lazy');
}

/** A column that is aligned has a class: the Content-Security-Policy allows no inline style. */
function classForStyle(token: Token): void {
  const style = token.attrGet('style');
  if (style !== null) token.attrs = [['class', String(style).replace(/^text-align:/, 'align-')]];
}

/** Markdown has no table without a head; one whose cells are empty says nothing. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const dropped = new Set<Token>();
  tokens.forEach((token, at) => {
    if (token.type !== 'thead_open') return;
    const head = tokens.slice(at, tokens.findIndex(({ type }, index) => index > at && type === 'thead_close') + 1);
    const isEmpty = head.every(({ type, content }) => type !== 'inline' || content === '');
    if (isEmpty) for (const part of head) dropped.add(part);
  });
  return tokens.filter((token) => !dropped.has(token));
}
