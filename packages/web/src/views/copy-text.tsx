/** A text to paste elsewhere, with a button that copies it; without JavaScript the text can be selected. */
export function CopyText({ text }: { text: string }) {
  return (
    <div class="copy">
      <pre>{text}</pre>
      <button type="button" data-copy={text} hidden>
        Copy
      </button>
    </div>
  );
}
