import type { Token } from 'markdown-it';
import MiniSearch from 'minisearch';
import { searchOptions, type Section } from '../browser/search-options.ts';
import type { HelpPage } from './help-pages.ts';

/** The parts of a page between its headings, each with its anchor, as the search finds them. */
export function sectionsOf(tokens: readonly Token[], { address, title }: HelpPage): Section[] {
  const sections: Section[] = [];
  tokens.forEach((token, at) => {
    const text = token.type === 'fence' ? token.content : plainText(token);
    if (tokens[at - 1]?.type === 'heading_open') {
      const anchor = tokens[at - 1]?.tag === 'h1' ? '' : `#${tokens[at - 1]?.attrGet('id')}`;
      sections.push({ address: address + anchor, page: title, heading: text, text: '' });
    } else if (text) {
      const last = sections.at(-1);
      if (last) last.text += `${last.text && ' '}${text}`;
    }
  });
  return sections;
}

/** The index of all sections, as the browser loads it. */
export function searchIndex(sections: readonly Section[]): string {
  const index = new MiniSearch<Section>(searchOptions);
  index.addAll(sections);
  return JSON.stringify(index);
}

function plainText({ type, children }: Token): string {
  if (type !== 'inline') return '';
  const kept = (children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content));
  return kept.join('').trim();
}
