import { decodeSegment } from './target.ts';

/** A place in the table, and the values of its path parameters; undefined where one cannot be decoded. */
export interface Found<Place> {
  place: Place;
  params: { [name: string]: string | undefined };
}

/**
 * Returns a function that finds the place at a path. Paths have one canonical form: case matters, slashes are exact,
 * and letters are not percent-encoded. A literal path is preferred to one with a parameter. (rules,
 * api/paths-and-methods)
 */
export function pathTable<Place extends { path: string }>(
  places: readonly Place[],
): (path: string) => Found<Place> | undefined {
  const literal = new Map(places.filter(({ path }) => !path.includes('{')).map((place) => [place.path, place]));
  const named = places
    .filter(({ path }) => path.includes('{'))
    .map((place) => ({ place, segments: place.path.split('/') }));
  return (path) => {
    const exact = literal.get(path);
    if (exact) return { place: exact, params: {} };
    const segments = path.split('/');
    const match = named.find((candidate) => fits(candidate.segments, segments));
    return match && { place: match.place, params: valuesOf(match.segments, segments) };
  };
}

function fits(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (isName(part) ? segments[i] !== '' : part === segments[i]))
  );
}

function valuesOf(pattern: string[], segments: string[]): { [name: string]: string | undefined } {
  return Object.fromEntries(
    pattern.flatMap((part, i) => (isName(part) ? [[part.slice(1, -1), decodeSegment(segments[i] ?? '')]] : [])),
  );
}

function isName(part: string): boolean {
  return part.startsWith('{');
}
