// The proof of a receipt: a picture, for whoever holds the shop's money back until they see that it was delivered. Drawn
// when it is sent, with the rights of that moment.
import { drawProof } from '../../pictures/proof.ts';
import { pause } from '../../waiting.ts';
import type { BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import type { View } from '../outgoing.ts';
import { toPhoto } from '../telegram/photo.ts';

/** The name of the view. */
export const RECEIPT_PROOF = 'receipt-proof';

/** While as many are drawn as may be at once. */
const AGAIN_MS = 300;

export function createProofView(deps: Pick<BotDeps, 'core' | 'texts'>): View {
  const { core } = deps;
  return createMemberView<{ id: number }>(deps, async ({ actor, language, say }, { id }) => {
    const facts = core.findProof(actor, id);
    if (!facts) return { html: say('receipt-unknown', { id: String(id) }) };
    const shown = { ...facts, isSandbox: core.health.isSandbox };
    let png: Buffer | undefined;
    while (!(png = await drawProof(shown, language))) await pause(AGAIN_MS);
    return toPhoto(png, `receipt-${id}.png`, { html: '' }, { html: `/receipt_${id}` });
  });
}
