// The search of the help; everything else there works without JavaScript.
import MiniSearch from 'minisearch';
import { searchOptions, type Section } from './search-options.ts';

const MOST_RESULTS = 30;
const EXCERPT = 160;

const section = document.querySelector<HTMLElement>('[data-search-index]');
const field = document.querySelector<HTMLInputElement>('form[role=search] input');
if (section && field) await search(section, field);

/** Shows the results for what the address asks for, and for what is typed from then on. */
async function search(shown: HTMLElement, input: HTMLInputElement): Promise<void> {
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  const response = await fetch(shown.dataset['searchIndex'] ?? '');
  const index = MiniSearch.loadJSON<Section>(await response.text(), searchOptions);
  const show = () => showResults(shown, index, input.value.trim());
  input.addEventListener('input', () => {
    history.replaceState(null, '', `?${new URLSearchParams({ q: input.value }).toString()}`);
    show();
  });
  show();
}

function showResults(shown: HTMLElement, index: MiniSearch<Section>, words: string): void {
  const found = words === '' ? [] : index.search(words);
  const status = shown.querySelector('[role=status]');
  if (status) status.textContent = sentenceFor(words, found.length);
  const items = found.slice(0, MOST_RESULTS).map(({ id, page, heading, text }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = String(id);
    link.textContent = page === heading ? String(page) : `${page}: ${heading}`;
    const excerpt = document.createElement('p');
    excerpt.textContent = excerptOf(String(text), words);
    item.append(link, excerpt);
    return item;
  });
  shown.querySelector('ol')?.replaceChildren(...items);
}

function sentenceFor(words: string, count: number): string {
  if (words === '') return 'Type what you look for.';
  if (count === 0) return `Nothing was found for “${words}”.`;
  if (count === 1) return 'One part was found.';
  return count > MOST_RESULTS ? `${count} parts were found; the best ${MOST_RESULTS}:` : `${count} parts were found.`;
}

/** The text around the first of the words. */
function excerptOf(text: string, words: string): string {
  const [first = ''] = words.toLowerCase().split(/\s+/);
  const at = Math.max(0, text.toLowerCase().indexOf(first) - EXCERPT / 4);
  const begin = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  const cut = text.slice(begin, begin + EXCERPT);
  return `${begin > 0 ? '… ' : ''}${cut}${begin + EXCERPT < text.length ? ' …' : ''}`;
}
