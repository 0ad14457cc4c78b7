/**
 * Returns a value that is never undefined, by an invariant of the caller. Throws if it is. Null passes: as the value of
 * a map it is not absent.
 */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('a value that must be there is absent');
  return value;
}

/** The names of an object's own fields. For objects whose type names all their fields. */
export function keysOf<Fields extends object>(fields: Fields): (keyof Fields & string)[] {
  return Object.keys(fields) as (keyof Fields & string)[]; // the one place that trusts the type to be complete
}

/** The fields of an unknown value; none if it is not an object. */
export function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** True for a value that is one of these. */
export function isOneOf<Value>(values: readonly Value[], value: unknown): value is Value {
  return values.some((each) => each === value);
}
