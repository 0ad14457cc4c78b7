const MACRO = /%(?:\{([slodiphcrtv])(\d*)(r?)([.\-+,/_=]*)\}|([%_-]))/gi;
const LITERALS = new Map([
  ['%', '%'],
  ['_', ' '],
  ['-', '%20'],
]);
/** The most characters of a name. (RFC 7208, 7.3) */
const NAME = 253;

/**
 * The name that a term is about, which is the domain of its record where it names none; undefined where it depends on
 * the message. (RFC 7208, 7)
 * @param path the domains from the first record to the one with the term
 */
export function expandDomain(spec: string | undefined, path: readonly string[]): string | undefined {
  if (spec === undefined) return path.at(-1);
  let expanded = '';
  let end = 0;
  for (const macro of spec.matchAll(MACRO)) {
    const value = valueOf(macro, path);
    if (value === undefined) return undefined;
    expanded += spec.slice(end, macro.index) + value;
    end = macro.index + macro[0].length;
  }
  return fitting(expanded + spec.slice(end));
}

/**
 * The macros `d` and `o` are known: the domain of the record, and that of the sender, whose mail the first record is
 * for. (RFC 7208, 4.1 and 7.2)
 */
function valueOf(macro: RegExpExecArray, path: readonly string[]): string | undefined {
  const [, letter = '', digits = '', reversed = '', delimiters = '', literal = ''] = macro;
  if (literal !== '') return LITERALS.get(literal);
  const known = new Map([
    ['d', path.at(-1)],
    ['o', path[0]],
  ]).get(letter.toLowerCase());
  return known === undefined ? undefined : transformed(known, { digits, reversed, delimiters });
}

interface Transformers {
  digits: string;
  reversed: string;
  delimiters: string;
}

/** Split, reversed, cut to the last parts, and joined with dots. (RFC 7208, 7.3) */
function transformed(value: string, { digits, reversed, delimiters }: Transformers): string {
  const characters = [...new Set(delimiters || '.')]; // at most seven, however often a stranger repeats one (7.1)
  const parts = characters.reduce((all, character) => all.flatMap((part) => part.split(character)), [value]);
  const ordered = reversed === '' ? parts : parts.toReversed();
  return (digits === '' ? ordered : ordered.slice(-Number(digits))).join('.');
}

/** The name without as many labels at its beginning as it is too long by. */
function fitting(name: string): string {
  if (name.length <= NAME) return name;
  const dot = name.indexOf('.', name.length - NAME - 1);
  return dot < 0 ? name : name.slice(dot + 1);
}
