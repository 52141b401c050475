// A state, by word and by colour: the word alone tells it, too.
import { html } from 'hono/html';

import type { Html } from '../context.ts';

/** `wait`: under way; `doubt`: not known; `calm`: over, or of no concern. */
export type Tone = 'good' | 'bad' | 'wait' | 'doubt' | 'calm';

export const badge = (tone: Tone, label: string): Html => html`<span class="badge ${tone}">${label}</span>`;
