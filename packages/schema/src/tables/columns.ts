import type { ColumnType, Generated } from 'kysely';

/** A column with a default that is never null. */
export type Defaulted<T> = Generated<T>;
/** JSON, written as text and read as a value. */
export type Json<T> = ColumnType<T, string, string>;
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
/** A UTC day, read and written as `YYYY-MM-DD` (or `infinity`). */
export type DayColumn = string;
