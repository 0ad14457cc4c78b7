// What pages gain with JavaScript; everything works without it.
import { copyOnClick } from './copy.ts';
import { showUploads } from './upload.ts';
import { showTooltips } from './tooltip.ts';
import { submitOnChoice } from './filter.ts';

copyOnClick();
showTooltips();
submitOnChoice();
showUploads();
