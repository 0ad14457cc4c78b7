import { ReportError } from '../errors.ts';
import { MAX_DEPTH, MAX_ELEMENTS, MAX_NAME_LENGTH, MAX_RECORDS, MAX_TEXT_LENGTH } from '../limits.ts';
import { isForeign, localName, rootNamespace } from './element-names.ts';
import type { FeedbackSink } from './feedback-sink.ts';
import type { RawFeedback, RawRecord } from './raw-report.ts';
import { feedback as feedbackGroup, type Field, type Group } from './schema.ts';

/** A raw element under construction. Its keys come from the schema alone, never from the document. */
type Slots = { [key: string]: string | object | (string | object)[] | null };

interface Frame {
  slots: Slots;
  group: Group;
}

const UNKNOWN_NAMED = 5;

/** Turns the elements and texts of a document into raw reports; what the schema does not know is passed over. */
export class ReportCollector {
  readonly #sink: FeedbackSink;
  readonly #frames: Frame[] = [];
  readonly #unknown = new Set<string>();
  #feedback: Slots | null = null;
  /** Field of the text element we stand in. */
  #leaf: Field | null = null;
  #text = '';
  /** Open elements inside one that we pass over. */
  #skipped = 0;
  #depth = 0;
  #elements = 0;
  #records = 0;
  #reports = 0;

  constructor(sink: FeedbackSink) {
    this.#sink = sink;
  }

  /** Reports begun so far. */
  get reports(): number {
    return this.#reports;
  }

  /** Records begun so far in the report that is being read. */
  get recordsRead(): number {
    return this.#records;
  }

  /** True outside of every report. */
  get isBetweenReports(): boolean {
    return this.#feedback === null;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#countElement(name);
    if (this.#skipped > 0 || this.#leaf) {
      this.#skipped += 1;
      return;
    }
    const frame = this.#frames.at(-1);
    if (!frame) return this.#openOutside(name, attributes);
    const field = frame.group.fields.get(name) ?? this.#looseField(frame.group, name);
    if (!field) {
      this.#noteUnknown(name, attributes);
      this.#skipped = 1;
    } else this.#openField(frame.slots, field, name);
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#leaf) {
      this.#text = this.#text === '' ? text : this.#text + text;
      if (this.#text.length > MAX_TEXT_LENGTH) throw new ReportError('xml_text_too_long', 'a text is longer than any reporter writes');
      return;
    }
    const frame = this.#frames.at(-1);
    const key = frame?.group.contentKey;
    if (frame && key) frame.slots[key] = `${typeof frame.slots[key] === 'string' ? frame.slots[key] : ''}${text}`.slice(0, MAX_TEXT_LENGTH);
  }

  close(): void {
    this.#depth -= 1;
    if (this.#skipped > 0) this.#skipped -= 1;
    else if (this.#leaf) this.#closeLeaf(this.#leaf);
    else this.#closeGroup();
  }

  #countElement(name: string): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new ReportError('xml_too_deep', `elements are nested deeper than ${MAX_DEPTH}`);
    this.#elements += 1;
    if (this.#elements > MAX_ELEMENTS) throw new ReportError('xml_too_large', `more than ${MAX_ELEMENTS} elements`);
    if (name.length > MAX_NAME_LENGTH) throw new ReportError('xml_text_too_long', 'an element name is too long');
  }

  #openOutside(name: string, attributes: ReadonlyMap<string, string>): void {
    const { local, lowered } = localName(name);
    if (local !== 'feedback') return;
    this.#reports += 1;
    this.#sink.begin(rootNamespace(name, attributes), this.#depth > 1);
    if (lowered) this.#warn('xml_uppercase_tags');
    this.#feedback = this.#push(feedbackGroup);
  }

  /** The field of an element that carries a prefix or another case. */
  #looseField(group: Group, name: string): Field | undefined {
    const { local, lowered } = localName(name);
    const field = group.fields.get(local);
    if (field && lowered) this.#warn('xml_uppercase_tags');
    return field;
  }

  #openField(slots: Slots, field: Field, name: string): void {
    const present = slots[field.key];
    if (field.kind === 'text' || field.kind === 'texts') {
      this.#leaf = field;
      this.#text = '';
      return;
    }
    if (field.kind === 'record') {
      this.#records += 1;
      if (this.#records > MAX_RECORDS) throw new ReportError('too_many_records', `more than ${MAX_RECORDS} records`);
      this.#push(field.group);
    } else if (field.kind === 'groups') this.#openListed(slots, field);
    else if (present) this.#skipDuplicate(field.duplicate ?? 'element_duplicate', name);
    else {
      if (field.misspelled) this.#warn(field.misspelled, name);
      slots[field.key] = this.#push(field.group);
    }
  }

  #openListed(slots: Slots, field: Field & { kind: 'groups' }): void {
    const present = slots[field.key];
    if (!Array.isArray(present)) slots[field.key] = [this.#push(field.group)];
    else if (present.length < field.max) present.push(this.#push(field.group));
    else this.#skipDuplicate(field.overflow, `more than ${field.max}`);
  }

  #closeLeaf(field: Field): void {
    this.#leaf = null;
    const slots = this.#frames.at(-1)!.slots;
    const present = slots[field.key];
    if (field.kind === 'texts') {
      if (!Array.isArray(present)) slots[field.key] = [this.#text];
      else if (present.length < field.max) present.push(this.#text);
      else this.#warn(field.overflow, `more than ${field.max}`);
    } else if (present === null) slots[field.key] = this.#text;
    else this.#warn('element_duplicate', field.key);
  }

  #closeGroup(): void {
    const frame = this.#frames.pop();
    if (!frame || !this.#feedback) return; // an element around the reports
    if (this.#frames.length === 1 && isRecord(frame)) this.#sink.record(asRaw<RawRecord>(frame), this.#records, asRaw<RawFeedback>(this.#frames[0]!));
    else if (this.#frames.length === 0) this.#end(frame);
  }

  #end(frame: Frame): void {
    this.#feedback = null;
    if (this.#unknown.size) this.#warn('element_unknown', [...this.#unknown].slice(0, UNKNOWN_NAMED).join(', '));
    this.#unknown.clear();
    this.#records = 0;
    this.#sink.end(asRaw<RawFeedback>(frame));
  }

  #push(group: Group): Slots {
    const slots: Slots = group.create() as Slots;
    this.#frames.push({ slots, group });
    return slots;
  }

  #skipDuplicate(code: string, detail: string): void {
    this.#skipped = 1;
    this.#warn(code, detail);
  }

  #noteUnknown(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#unknown.size <= UNKNOWN_NAMED && !isForeign(name, attributes)) this.#unknown.add(name.slice(0, 64));
  }

  #warn(code: string, detail: string | null = null): void {
    this.#sink.warn(code, detail, this.#frames.length > 1 && this.#records > 0 ? this.#records : null);
  }
}

const recordGroup = feedbackGroup.fields.get('record');

function isRecord({ group }: Frame): boolean {
  return recordGroup?.kind === 'record' && group === recordGroup.group;
}

/** The one cast of the reader: what a frame was made from is, by the schema, of the raw type asked for. */
function asRaw<T extends object>(frame: Frame): T {
  return frame.slots as unknown as T;
}
