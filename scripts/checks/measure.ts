import { parseSync, Visitor } from 'oxc-parser';

/** What one source file holds. */
export interface Measured {
  path: string;
  lines: number;
  functions: { place: string; lines: number; parameters: number }[];
  /** `x as T` and `<T>x`, but not `as const`. */
  casts: string[];
  /** `x!`. */
  nonNull: string[];
  /** Lines that are too long and can be broken: without a long string, template or regular expression. */
  long: string[];
}

export const LINE_LIMIT = 120;

interface Node {
  start: number;
  end: number;
}

/** Measures a file by its syntax tree. Throws when it cannot be parsed. */
export function measure(path: string, text: string): Measured {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineOf = lineFinder(text);
  const measured: Measured = { path, lines: lineOf(text.length - 1), functions: [], casts: [], nonNull: [], long: [] };
  const texts: Node[] = [];
  const placeOf = ({ start }: Node) => `${path}:${lineOf(start)}`;
  const addFunction = (node: Node & { params: unknown[] }) => {
    const lines = lineOf(node.end) - lineOf(node.start) + 1;
    measured.functions.push({ place: placeOf(node), lines, parameters: node.params.length });
  };
  new Visitor({
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TemplateLiteral: (node) => void texts.push(node),
    Literal: (node) => void (typeof node.value === 'number' || texts.push(node)),
    TSAsExpression(node) {
      const { typeAnnotation: type } = node;
      const isConst =
        type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
      if (!isConst) measured.casts.push(placeOf(node));
    },
    TSTypeAssertion: (node) => void measured.casts.push(placeOf(node)),
    TSNonNullExpression: (node) => void measured.nonNull.push(placeOf(node)),
  }).visit(program);
  measured.long = longLines(text, texts).map((line) => `${path}:${line}`);
  return measured;
}

const LONG_TEXT = 60;

/** The numbers of the lines beyond the limit that no long text makes so. */
function longLines(text: string, texts: readonly Node[]): number[] {
  let start = 0;
  return text.split('\n').flatMap((line, i) => {
    const [begin, end] = [start, start + line.length];
    start = end + 1;
    if (line.length <= LINE_LIMIT) return [];
    const isOfText = texts.some((text) => Math.min(text.end, end) - Math.max(text.start, begin) >= LONG_TEXT);
    return isOfText ? [] : [i + 1];
  });
}

/** Gives the line, from 1, of an offset. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const next = starts.findIndex((start) => start > offset);
    return next < 0 ? starts.length : next;
  };
}
