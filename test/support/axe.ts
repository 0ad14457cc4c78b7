import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Colours = 'light' | 'dark';

/** Dark colours meet the stricter rule too. */
const RULES = {
  light: ['color-contrast', 'link-in-text-block'],
  dark: ['color-contrast', 'link-in-text-block', 'color-contrast-enhanced'],
};

/** Loads axe into the document, for `violationsOf`. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(AXE);
  await page.evaluate(LOOKS);
}

/** What axe finds in a document at its present width; it is left in the last of these colours. */
export async function violationsOf(page: Page, schemes: readonly Colours[], passed: Set<string>): Promise<string[]> {
  const found = await page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }).then(asked.faults)`,
  );
  for (const colours of schemes) {
    await page.emulateMedia({ colorScheme: colours });
    found.push(...(await faultsOfColours(page, colours, passed)).map((fault) => `${colours}: ${fault}`));
  }
  return found;
}

/**
 * The faults of colours alone: the document is the same in light and dark. They take axe most of its time, so that it
 * does not see again what looks like something that it has passed on this page or on another.
 */
async function faultsOfColours(page: Page, colours: Colours, passed: Set<string>): Promise<string[]> {
  const looks = await page.evaluate<string[]>('asked.read()');
  const options = {
    runOnly: RULES[colours],
    resultTypes: ['violations', 'passes'],
    selectors: false,
    elementRef: true,
  };
  const fresh = looks.flatMap((look, i) => (passed.has(colours + look) ? [] : [i]));
  if (fresh.length === 0) return [];
  const { faults, good } = await page.evaluate<{ faults: string[]; good: string[] }>(
    `axe.run({ include: ${JSON.stringify(fresh)}.map((i) => asked.texts[i]) }, ${JSON.stringify(options)})
      .then((found) => ({ faults: asked.faults(found), good: asked.good(found) }))`,
  );
  for (const look of good) passed.add(colours + look);
  return faults;
}

/**
 * The look of an element is all that its contrast follows from: its colours and letters, whether it is a link within a
 * text and that text's, and what lies behind it.
 */
const LOOKS = `window.asked = (() => {
  const PLAIN = 'rgba(0, 0, 0, 0),none,1,none,static,auto';
  let backgrounds = new Map();
  const backgroundOf = (element) => {
    if (!element) return '';
    if (backgrounds.has(element)) return backgrounds.get(element);
    const style = getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity, filter, position, zIndex } = style;
    const own = [backgroundColor, backgroundImage, opacity, filter, position, zIndex];
    const all = backgroundOf(element.parentElement) + (own.join() === PLAIN ? '' : '>' + own);
    backgrounds.set(element, all);
    return all;
  };
  const lettersOf = (element) => {
    const style = getComputedStyle(element);
    return [style.color, style.fill, style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine,
      style.borderBottom, style.clipPath];
  };
  const hasText = ({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim());
  const lookOf = (element) => [
    backgroundOf(element),
    ...lettersOf(element),
    element.closest(':disabled, [aria-disabled=true]') !== null,
    ...(element.localName === 'a' ? [hasText(element.parentElement), ...lettersOf(element.parentElement)] : []),
  ].join(' ');
  const isText = (element) => hasText(element) || element.matches('input, select, textarea');
  return {
    texts: [],
    read() {
      backgrounds = new Map();
      this.texts = [...document.body.querySelectorAll('*')].filter((each) => isText(each) && each.checkVisibility());
      return this.texts.map(lookOf);
    },
    faults: ({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html),
    good: ({ passes }) => passes
      .filter(({ id }) => id === 'color-contrast')
      .flatMap(({ nodes }) => nodes.map(({ element }) => lookOf(element))),
  };
})()`;
