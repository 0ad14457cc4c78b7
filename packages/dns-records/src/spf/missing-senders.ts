import type { Evaluated } from './evaluate-spf.ts';
import { passesAnybody } from './open-terms.ts';
import { mostlyPasses, mostlyPassesByDkim, type ReturnPath, type SpfSender } from './spf-mail.ts';
import { spfTexts } from './spf-texts.ts';
import type { PlacedTerm } from './spf-tree.ts';
import { isEnd, networkTerm } from './write-record.ts';

/** The most addresses that a record is made longer by. */
const ADDED = 10;
/** The most names of envelope senders in a sentence. */
const NAMES = 3;

interface Absent {
  absent: readonly SpfSender[];
  evaluate(this: void, address: string): Evaluated | undefined;
}

/** The addresses of own senders to add, and what to say of them and of those that are not added. */
export function missingIn({ absent, evaluate }: Absent, own: readonly PlacedTerm[]) {
  const isOpen = own.some(({ term }) => passesAnybody(term));
  const ours = absent.filter((sender) => sender.isOurs && (isOpen || !mostlyPasses(sender)));
  const missing = ours.filter(({ returnPath }) => returnPath === undefined);
  const undecided = isOpen ? absent.filter((sender) => !sender.isOurs && mostlyPasses(sender)) : [];
  const hosts = missing.filter(({ isService }) => !isService);
  // a service uses its own name as envelope sender, which no term here authorises; mail that passes by DKIM needs none
  const services = missing.filter((each) => each.isService && !mostlyPassesByDkim(each)).length;
  const listed = hosts.length > ADDED ? [] : hosts;
  const added = listed.map(({ address }) => ({ text: networkTerm(address), before: evaluate(address)?.by.term }));
  const excluded = added.filter(({ before }) => before && !isEnd(before)).length;
  const reasons = [
    ...(added.length > 0 ? [spfTexts.added({ count: added.length })] : []),
    ...(excluded > 0 ? [spfTexts.excluded({ count: excluded })] : []),
    ...(hosts.length > ADDED ? [spfTexts.tooMany({ count: hosts.length })] : []),
    ...(services > 0 ? [spfTexts.services({ count: services })] : []),
    ...reasonsElsewhere(ours),
    ...(isOpen ? [spfTexts.open()] : []),
    ...(undecided.length > 0 ? [spfTexts.openOnly({ count: undecided.length })] : []),
  ];
  return { added, reasons };
}

/** What to say of mail that is evaluated by the record of another name: where it is failing, what would align it. */
function reasonsElsewhere(ours: readonly SpfSender[]): string[] {
  const failing = ours.filter((sender) => !mostlyPasses(sender) && !mostlyPassesByDkim(sender));
  const saidOf = (text: (what: { count: number; names: string[] }) => string, of: (path: ReturnPath) => boolean) => {
    const paths = failing.flatMap(({ returnPath }) => (returnPath && of(returnPath) ? [returnPath.name] : []));
    return paths.length > 0 ? [text({ count: paths.length, names: [...new Set(paths)].slice(0, NAMES) })] : [];
  };
  return [
    ...saidOf(spfTexts.otherRecords, ({ isRelated, passes }) => isRelated && !passes),
    ...saidOf(spfTexts.notExact, ({ isRelated, passes }) => isRelated && passes),
    ...saidOf(spfTexts.returnPaths, ({ isRelated }) => !isRelated),
  ];
}
