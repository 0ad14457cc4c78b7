import { ReportError } from '../errors.ts';
import { MAX_RECORDS, MAX_ROOTS, MAX_TEXT_LENGTH } from '../limits.ts';
import { ElementLimits } from './element-limits.ts';
import { isForeign, localName, rootNamespace } from './element-names.ts';
import type { FeedbackSink } from './feedback-sink.ts';
import { asRaw, isRecord, RawFrames, type Frame, type Surplus, type TextField } from './raw-frames.ts';
import type { RawFeedback, RawRecord } from './raw-report.ts';
import { feedback, type Field, type Group } from './schema.ts';

const UNKNOWN_NAMED = 5;

/** Turns the elements and texts of a document into raw reports; elements unknown to the schema are skipped. */
export class ReportCollector {
  readonly #sink: FeedbackSink;
  readonly #limits = new ElementLimits();
  readonly #frames = new RawFrames();
  readonly #unknown = new Set<string>();
  /** Field of the current text element. */
  #leaf: TextField | null = null;
  #text = '';
  /** Open elements inside a skipped one. */
  #skipped = 0;
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
    return this.#frames.depth === 0;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#limits.open(name);
    if (this.#skipped > 0 || this.#leaf) {
      this.#skipped += 1;
      return;
    }
    const frame = this.#frames.current;
    if (!frame) return this.#openOutside(name, attributes);
    const field = frame.group.fields.get(name) ?? this.#looseField(frame.group, name);
    if (field) this.#openField(frame, field, name);
    else {
      this.#noteUnknown(name, attributes);
      this.#skipped = 1;
    }
  }

  text(text: string): void {
    if (this.#skipped > 0) return;
    if (!this.#leaf) return this.#frames.addContent(text);
    this.#text = this.#text === '' ? text : this.#text + text;
    if (this.#text.length > MAX_TEXT_LENGTH)
      throw new ReportError('xml_text_too_long', 'a text is longer than any reporter writes');
  }

  close(): void {
    this.#limits.close();
    if (this.#skipped > 0) this.#skipped -= 1;
    else if (this.#leaf) {
      this.#warnOf(this.#frames.put(this.#leaf, this.#text));
      this.#leaf = null;
    } else this.#closeGroup();
  }

  #openOutside(name: string, attributes: ReadonlyMap<string, string>): void {
    const { local, lowered } = localName(name);
    if (local !== 'feedback') return;
    this.#reports += 1;
    if (this.#reports > MAX_ROOTS)
      throw new ReportError('too_many_reports', `more than ${MAX_ROOTS} reports in a document`);
    this.#sink.begin(rootNamespace(name, attributes), this.#limits.depth > 1);
    if (lowered) this.#warn('xml_uppercase_tags');
    this.#frames.push(feedback);
  }

  /** The field of an element that carries a prefix or another case. */
  #looseField(group: Group, name: string): Field | undefined {
    const { local, lowered } = localName(name);
    const field = group.fields.get(local);
    if (field && lowered) this.#warn('xml_uppercase_tags');
    return field;
  }

  #openField(frame: Frame, field: Field, name: string): void {
    if (field.kind === 'text' || field.kind === 'texts') {
      this.#leaf = field;
      this.#text = '';
      return;
    }
    if (field.kind === 'record') this.#countRecord();
    if (field.kind === 'group' && field.misspelled) this.#warn(field.misspelled, name);
    const surplus = this.#frames.open(frame, field, name);
    if (surplus) this.#skipped = 1;
    this.#warnOf(surplus);
  }

  #countRecord(): void {
    this.#records += 1;
    if (this.#records > MAX_RECORDS) throw new ReportError('too_many_records', `more than ${MAX_RECORDS} records`);
  }

  #closeGroup(): void {
    const frame = this.#frames.pop();
    if (!frame) return; // an element around the reports
    const { root } = this.#frames;
    if (!root) this.#end(frame);
    else if (isRecord(frame)) this.#sink.record(asRaw<RawRecord>(frame), this.#records, asRaw<RawFeedback>(root));
  }

  #end(frame: Frame): void {
    if (this.#unknown.size) this.#warn('element_unknown', [...this.#unknown].slice(0, UNKNOWN_NAMED).join(', '));
    this.#unknown.clear();
    this.#records = 0;
    this.#sink.end(asRaw<RawFeedback>(frame));
  }

  #noteUnknown(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#unknown.size <= UNKNOWN_NAMED && !isForeign(name, attributes)) this.#unknown.add(name.slice(0, 64));
  }

  #warnOf(surplus: Surplus): void {
    if (surplus) this.#warn(surplus.code, surplus.detail);
  }

  #warn(code: string, detail: string | null = null): void {
    this.#sink.warn(code, detail, this.#frames.depth > 1 && this.#records > 0 ? this.#records : null);
  }
}
