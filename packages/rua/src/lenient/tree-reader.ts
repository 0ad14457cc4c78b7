import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { present } from '@dmarc-ledger/vocabulary';
import { ReportError } from '../errors.ts';
import { MAX_DEPTH } from '../limits.ts';
import { NO_ATTRIBUTES } from '../xml/feedback-sink.ts';
import type { ReportCollector } from '../xml/report-collector.ts';

const TEXT = '#text';
const ROOT_ATTRIBUTE = /\s(xmlns(?::[\w.-]+)?)\s*=\s*["']([^"'<>]{0,1024})["']/g;

/** Texts stay texts and order stays order; names that are special to JavaScript get a mark that no element carries. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  textNodeName: TEXT,
  maxNestedTags: MAX_DEPTH + 1,
  onDangerousProperty: (name) => `#${name}`,
});

/** Parses the repaired text of one report and hands its elements to the collector, as the strict parser would. */
export function readTree(text: string, collector: ReportCollector): void {
  const verdict = XMLValidator.validate(text, { allowBooleanAttributes: true });
  if (verdict !== true) throw new ReportError('xml_malformed', `the XML is not well-formed: ${verdict.err.msg}`);
  walk(parse(text), collector, rootAttributes(text));
}

function parse(text: string): unknown {
  try {
    return parser.parse(text);
  } catch (cause) {
    throw new ReportError('xml_malformed', 'the XML is not well-formed', { cause });
  }
}

function rootAttributes(text: string): ReadonlyMap<string, string> {
  const tag = text.slice(0, text.indexOf('>'));
  return new Map([...tag.matchAll(ROOT_ATTRIBUTE)].map(([, name, value]) => [present(name), present(value)]));
}

function walk(nodes: unknown, collector: ReportCollector, attributes: ReadonlyMap<string, string>): void {
  if (!Array.isArray(nodes)) return;
  for (const node of nodes) {
    for (const [name, content] of Object.entries(node)) {
      if (name === TEXT) collector.text(String(content));
      else if (Array.isArray(content)) {
        collector.open(name, attributes);
        walk(content, collector, NO_ATTRIBUTES);
        collector.close();
      }
    }
  }
}
