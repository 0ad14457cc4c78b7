/** Faults of a sentence that a reader would stumble over. */
function faultsOf(sentence: string, name: string): string[] {
  const text = sentence.replaceAll(name, 'NAME').replaceAll('2001:db8::a', 'IP');
  return [
    ...(/^(?:[A-Z0-9]|NAME|IP)/.test(text) ? [] : ['begins in lower case']),
    ...(/[.?]$/.test(text) ? [] : ['has no end']),
    ...(/undefined|null|NaN|\[object|[{}$]|\s{2}|\.\.| \./.test(text) ? ['has a gap'] : []),
    ...(/(?<![\d,.-])1 (?!of\b)(?:[A-Z][\w-]* )*\w+s\b(?! (?:is|has|finds))/.test(text) && !/1 address\b/.test(text)
      ? ['one of a plural']
      : []),
    ...(/(?<![\d,.])(?:0|2|1,000|1,234,567) (?:[A-Z][\w-]* )?(?:message|attachment|address|lookup|selector|domain|record|server)\b/.test(
      text,
    )
      ? ['many of a singular']
      : []),
    ...(/(?<![\d,.-])\d{4,}(?! bits| is recommended|-)/.test(text) ? ['has no separators'] : []),
  ];
}

/** The sentences that have a fault, each with its faults. */
export function faulty(sentences: readonly string[], name: string): [string, string[]][] {
  return sentences.flatMap((sentence): [string, string[]][] => {
    const faults = faultsOf(sentence, name);
    return faults.length > 0 ? [[sentence, faults]] : [];
  });
}
