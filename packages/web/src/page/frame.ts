import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Formats } from './formats.ts';
import type { Viewer } from './viewer.ts';

/** What every part of a page may ask: the address of the page, how to write numbers, and the viewer. */
export interface Frame {
  url: URL;
  formats: Formats;
  viewer: Viewer | undefined;
  /** The form that was sent from this page and refused. */
  refused?: RefusedForm | undefined;
}

/** A form that changed nothing, and why. */
export interface RefusedForm {
  /** The path that it is posted to, as its action has it. */
  action: string;
  error: string;
  /** Its fields as they were sent. */
  entered: { [name: string]: string };
}

export const FrameContext = createContext<Frame | undefined>(undefined);

/** The frame of the page that is being rendered. */
export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new TypeError('a page is rendered inside its frame');
  return frame;
}

/** What was sent by a form of this page that was refused, which need not be typed again; nothing for another form. */
export function useEntered(action: string): { [name: string]: string | undefined } {
  const { refused } = useFrame();
  return refused?.action === action ? refused.entered : {};
}
