import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';

interface ReporterFilterProps {
  /** The name of the one reporter that is chosen, as it is counted. */
  reporter: string | undefined;
  /** A part of names, which is asked for while none is chosen. */
  org: string | undefined;
}

/** The reporter that a link led to, with the way back to all of them; else the field for a part of names. */
export function ReporterFilter({ reporter, org }: ReporterFilterProps) {
  const { url } = useFrame();
  if (reporter === undefined)
    return (
      <label>
        Reporter
        <input name="org" value={org ?? ''} size={14} />
      </label>
    );
  return (
    <p class="small" role="status">
      <input type="hidden" name="reporter" value={reporter} />
      Only reports that count for <b>{reporter}</b>.{' '}
      <a href={samePage(url, { reporter: undefined, offset: undefined })}>Reports of all reporters</a>
    </p>
  );
}
