import { MAX_TEXT_LENGTH } from '../limits.ts';
import { feedback, type Field, type Group } from './schema.ts';

/** A raw element under construction. Its keys come from the schema alone, never from the document. */
type Slots = { [key: string]: string | object | (string | object)[] | null };

export interface Frame {
  slots: Slots;
  group: Group;
}

export type GroupField = Exclude<Field, { kind: 'text' | 'texts' }>;
export type TextField = Extract<Field, { kind: 'text' | 'texts' }>;

/** Why an element was dropped, as the code of a warning; null when it was kept. */
export type Surplus = { code: string; detail: string } | null;

/** The open elements of a report, outermost first, and how closed ones are put into them. */
export class RawFrames {
  readonly #frames: Frame[] = [];

  get depth(): number {
    return this.#frames.length;
  }

  get root(): Frame | undefined {
    return this.#frames[0];
  }

  get current(): Frame | undefined {
    return this.#frames.at(-1);
  }

  push(group: Group): Slots {
    const slots = group.create() as Slots;
    this.#frames.push({ slots, group });
    return slots;
  }

  pop(): Frame | undefined {
    return this.#frames.pop();
  }

  /** Opens a child of the current element, unless there is one already, or enough. */
  open({ slots }: Frame, field: GroupField, name: string): Surplus {
    const present = slots[field.key];
    if (field.kind === 'record') this.push(field.group);
    else if (field.kind === 'group') {
      if (present) return { code: field.duplicate ?? 'element_duplicate', detail: name };
      slots[field.key] = this.push(field.group);
    } else if (!Array.isArray(present)) slots[field.key] = [this.push(field.group)];
    else if (present.length < field.max) present.push(this.push(field.group));
    else return { code: field.overflow, detail: `more than ${field.max}` };
    return null;
  }

  /** Puts the text of a child into the current element: the first of a single one counts. */
  put(field: TextField, text: string): Surplus {
    const slots = this.#frames.at(-1)!.slots;
    const present = slots[field.key];
    if (field.kind === 'text') {
      if (present !== null) return { code: 'element_duplicate', detail: field.key };
      slots[field.key] = text;
    } else if (!Array.isArray(present)) slots[field.key] = [text];
    else if (present.length < field.max) present.push(text);
    else return { code: field.overflow, detail: `more than ${field.max}` };
    return null;
  }

  /** Adds text that stands directly in the current element, where that has a place for it. */
  addContent(text: string): void {
    const frame = this.#frames.at(-1);
    const key = frame?.group.contentKey;
    if (!frame || !key) return;
    const present = typeof frame.slots[key] === 'string' ? frame.slots[key] : '';
    if (present.length < MAX_TEXT_LENGTH) frame.slots[key] = `${present}${text}`.slice(0, MAX_TEXT_LENGTH);
  }
}

const recordField = feedback.fields.get('record');

export function isRecord({ group }: Frame): boolean {
  return recordField?.kind === 'record' && group === recordField.group;
}

/** The one cast of the reader: by the schema, a frame's value has the requested raw type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what the schema promises
export function asRaw<T extends object>({ slots }: Frame): T {
  return slots as unknown as T;
}
