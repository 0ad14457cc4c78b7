import { printableText } from '@dmarc-ledger/vocabulary';
import type { ComponentChildren } from 'preact';
import { dayChoices } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import { classLabels } from '../texts/classes.ts';

interface FilterFormProps {
  /** The present values. */
  domain?: string | undefined;
  days?: number | undefined;
  class?: string | undefined;
  /** Which parts of the filter this page obeys. */
  parts: readonly ('domain' | 'days' | 'class')[];
  /** The page can show all days, which is what it does without a number of them. */
  hasAllDays?: boolean;
  /** Further fields of the page. */
  children?: ComponentChildren;
}

/** The one filter of domain, days and class; a form that needs no script. Other parameters of the page are kept. */
export function FilterForm({ parts, hasAllDays = false, children, ...values }: FilterFormProps) {
  const { url } = useFrame();
  return (
    <form class="filter" method="get" action={url.pathname} role="search" aria-label="Filter">
      {parts.includes('domain') && (
        <label>
          Domain
          <input name="domain" value={values.domain ?? ''} placeholder="all" size={24} autocomplete="off" />
        </label>
      )}
      {parts.includes('days') && (
        <label>
          Days
          <select name="days">
            {hasAllDays && <option value="">all</option>}
            {dayChoices.map((days) => (
              <option key={days} value={days} selected={days === values.days}>
                {days}
              </option>
            ))}
          </select>
        </label>
      )}
      {parts.includes('class') && (
        <label>
          Class
          <select name="class">
            <option value="">all</option>
            {Object.entries(classLabels).map(([name, label]) => (
              <option key={name} value={name} selected={name === values.class}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {children}
      <KeptFilter except={parts} />
      <button>Apply</button>
      {parts.includes('domain') && values.domain === undefined && <IgnoredDomain />}
    </form>
  );
}

const LONGEST_SHOWN = 60;

/** Says that a text that is no domain, such as a part of one, filters nothing: the figures are those of all domains. */
function IgnoredDomain() {
  const { url } = useFrame();
  const given = url.searchParams.get('domain')?.trim();
  if (!given) return null;
  return (
    <p class="small" role="status">
      “{printableText(given, LONGEST_SHOWN)}” is no whole domain name, such as example.com. All domains are shown.
    </p>
  );
}

/** The parts of the filter that a form does not offer, and the sort, so that applying the form keeps them. */
export function KeptFilter({ except }: { except: readonly string[] }) {
  const { url } = useFrame();
  const kept = ['sort_by', 'sort_dir', 'domain', 'days', 'class'].filter((name) => !except.includes(name));
  return (
    <>
      {kept.map((name) => {
        const value = url.searchParams.get(name);
        return value && <input key={name} type="hidden" name={name} value={value} />;
      })}
    </>
  );
}
