import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Formats } from './formats.ts';
import type { Viewer } from './viewer.ts';

/** What every part of a page may ask: the address of the page, how to write numbers, and the viewer. */
export interface Frame {
  url: URL;
  formats: Formats;
  viewer: Viewer | undefined;
  /** A line above the page that says what was just done. */
  notice?: string;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

/** The frame of the page that is being rendered. */
export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new TypeError('a page is rendered inside its frame');
  return frame;
}
