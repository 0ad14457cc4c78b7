import { renderToString } from 'preact-render-to-string';
import type { VNode } from 'preact';
import { FrameContext, type Frame } from '../page/frame.ts';
import type { Shown } from '../page/define-page.ts';
import { Layout } from '../views/layout.tsx';
import { assets } from './assets.ts';

/**
 * Nothing is painted before the content is there: columns and forms take their widths from rows that arrive last.
 * Source: HTML Living Standard, 4.6.8.4, link type "expect". Browsers that do not know it paint as they read.
 */
const paintWhole = { rel: 'expect', href: '#end', blocking: 'render' };

/** Bidirectional controls (UAX #9, 2): in a reported name or comment they would reorder the words behind it. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A whole document: the frame around what a page shows. */
export function renderPage(frame: Frame, { title, body }: Shown): string {
  return document(
    title,
    <FrameContext.Provider value={frame}>
      <Layout>{body}</Layout>
    </FrameContext.Provider>,
  );
}

function document(title: string, body: VNode): string {
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · DMARC Ledger`}</title>
        <link {...paintWhole} />
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href="data:," />
        <script type="module" src={assets.script} />
      </head>
      <body>
        {body}
        <span id="end" hidden />
      </body>
    </html>,
  );
  return `<!doctype html>${html.replaceAll(BIDI_CONTROLS, '\uFFFD')}`;
}
