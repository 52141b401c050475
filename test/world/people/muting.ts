// Somebody who has had enough of a kind of notices, or wants it again.
import { hasButton } from './phone.ts';
import type { Self } from './index.ts';

const KIND = /^(?:🔔|🔕)/u;

export async function choose({ phone, random }: Pick<Self, 'phone' | 'random'>): Promise<void> {
  const settings = await phone.ask('/settings', ({ buttons }) => buttons.length > 2);
  const label = settings?.buttons.find(({ callback_data: data }) => data === 'settings:notices')?.text;
  if (!settings || label === undefined) return;
  await phone.press(settings, label);
  const shown = await phone.sees(hasButton(KIND), 5_000);
  const kinds = (shown?.buttons ?? []).map(({ text }) => text).filter((text) => KIND.test(text));
  const kind = kinds.length > 0 ? random.pick(kinds) : undefined;
  if (shown && kind !== undefined) await phone.press(shown, kind);
}
