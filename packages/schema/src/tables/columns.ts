import type { ColumnType, Generated } from 'kysely';

/** A column that the database fills when it is left out, and that is never null. */
export type Defaulted<T> = Generated<T>;
/** JSON is written as text and read as the value. */
export type Json<T> = ColumnType<T, string, string>;
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;
/** A UTC day, read and written as `YYYY-MM-DD` (or `infinity`). */
export type DayColumn = string;
