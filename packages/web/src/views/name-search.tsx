/** A field of a filter, for a part of names. */
export function NameSearch({ value }: { value: string }) {
  return (
    <label>
      Name
      <input type="search" name="search" value={value} size={20} />
    </label>
  );
}
