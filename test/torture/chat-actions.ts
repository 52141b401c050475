// What the people of row 6 do in the chat, one action at a time, and what each must have been told and have left
// behind.
import type { SeenMessage } from '../telegram/types.ts';
import { findButton, type Talker } from './chat.ts';
import { makeCode, nextPlayer } from './client.ts';
import type { Seeded } from '../harness/seeded.ts';

/** A person, and everything that was asked and promised so far. */
export interface Actor {
  talker: Talker;
  seeded: Seeded;
  /** Of the game's denominations, the one whose threshold nobody else sets. */
  denomination: number | undefined;
  /** What was asked for in a word, and when that was answered. */
  asked: { lookUp: LookUp; from: number; to: number }[];
  /** Players whose order was pressed, and what was read: a kill may have come before the platform was asked. */
  orders: { playerId: string; end: 'redeemed' | 'failed' | undefined; receipt: number }[];
  batches: { codes: string[]; batch: number; undone: boolean }[];
  cancelled: string[];
  lastPasted: number;
  threshold: number | undefined;
  muted: boolean | undefined;
}

/** What one action needs from the row: whether there were kills, and where what went wrong is told. */
interface Scene {
  killsSince(from: number): number;
  violate(what: string): void;
}

type Seen = Promise<SeenMessage | undefined>;

export type ChatAction = (actor: Actor, scene: Scene) => Promise<void>;
export type LookUp = keyof typeof LOOK_UPS;

const LOOK_UPS = {
  '/stock': /60 UC: \d+ available/,
  '/quota': /^Daily quota\n/,
  '/history': /^(History, |Nothing was redeemed yet)/,
  '/help': /Every day/,
};

/** Whether a message answers this look-up. */
export function answers(lookUp: LookUp, { text }: SeenMessage): boolean {
  return LOOK_UPS[lookUp].test(text);
}

/** The answers to look-ups are alike, so they are counted. */
const lookUp: ChatAction = async ({ talker, seeded, asked }, { violate }) => {
  const what = seeded.pick(Object.keys(LOOK_UPS) as LookUp[]);
  const from = performance.now();
  const known = talker.newest();
  talker.says(what);
  if (!(await talker.sees((message) => message.id > known && answers(what, message))))
    violate(`${what} was never answered`);
  asked.push({ lookUp: what, from, to: performance.now() });
};

const PRESSED_AGAIN_AFTER_MS = 12_000;
const MOST_LOOK_UPS = 10;
const UNTOLD = /does not tell me the name right now/;
/** A kill is written down when the process is gone. */
const JUST_BEFORE_MS = 500;

const redeem: ChatAction = async ({ talker, seeded, orders }, { killsSince, violate }) => {
  const playerId = nextPlayer();
  const known = talker.newest();
  const asked = await askFor(talker, playerId);
  if (!asked)
    return violate(`/redeem ${playerId} was never answered: ${JSON.stringify(readSince(talker, known))}`);
  const from = performance.now();
  const order: Actor['orders'][number] = { playerId, end: undefined, receipt: 0 };
  orders.push(order);
  const taps = Array.from({ length: seeded.chance(0.3) ? 2 : 1 }, () => talker.presses(asked, 'Redeem'));
  const ended = await talker.sees(({ text }) => text.includes(playerId) && /^(✅|❌)/u.test(text));
  const [, word, receipt] = /^\S+ (Redeemed|Not redeemed) · receipt (\d+)/.exec(ended?.text ?? '') ?? [];
  order.receipt = Number(receipt);
  if (word) order.end = word === 'Redeemed' ? 'redeemed' : 'failed';
  if (!word || (order.end === 'failed' && killsSince(from - JUST_BEFORE_MS) === 0))
    violate(`the order for ${playerId} ended as: ${ended?.text ?? 'nothing'}`);
  const unanswered = (await Promise.all(taps)).includes(undefined);
  if (unanswered && killsSince(from) === 0) violate(`a tap for ${playerId} was never answered`);
};

/** A machine in other hands lets look-ups run out of their time: that is said, and whoever is told so asks again. */
async function askFor(talker: Talker, playerId: string): Seen {
  for (let tries = 0; tries < MOST_LOOK_UPS; tries += 1) {
    const known = talker.newest();
    talker.says(`/redeem ${playerId} 60`);
    const told = await talker.sees(
      (message) =>
        message.text.includes(playerId) &&
        (findButton(message, 'Redeem') !== undefined || (message.id > known && UNTOLD.test(message.text))),
    );
    if (!told || !UNTOLD.test(told.text)) return told;
  }
  return undefined;
}

const paste: ChatAction = async (actor, { violate }) => {
  const { talker, seeded } = actor;
  const codes = makeCodes(actor);
  const known = talker.newest();
  // Killed before it could write down that it had shown one, it shows a preview again: the size tells which is whose.
  const label = new RegExp(`^Add ${codes.length} codes?$`);
  const preview = seeded.chance(0.4)
    ? await pasteAtOnce(talker, codes, label)
    : await pasteInPieces(talker, seeded, codes, label);
  const add = preview && findButton(preview, label);
  if (!preview || !add)
    return violate(`a paste of ${codes.length} ended as: ${JSON.stringify(readSince(talker, known))}`);
  if (seeded.chance(0.15)) {
    actor.cancelled.push(...codes);
    void talker.presses(preview, 'Cancel');
    if (!(await talker.sees(({ id, text }) => id === preview.id && text.startsWith('Cancelled'))))
      violate('a paste was never cancelled');
    return;
  }
  for (let times = seeded.chance(0.3) ? 2 : 1; times > 0; times -= 1) void talker.presses(preview, add.text);
  // A preview that a kill had shown twice becomes the result where it stands last.
  const added = await talker.sees(
    ({ id, text }) => id >= preview.id && /^Batch \d+: \d+ codes? added/.test(text),
  );
  const [, batch, count] = /^Batch (\d+): (\d+) codes? added/.exec(added?.text ?? '') ?? [];
  if (!added || Number(count) !== codes.length)
    return violate(
      `${codes.length} codes were added as: ${added?.text ?? JSON.stringify(readSince(talker, known))}`,
    );
  const kept = { codes, batch: Number(batch), undone: seeded.chance(0.3) };
  actor.batches.push(kept);
  if (!kept.undone) return;
  void talker.presses(added, 'Undo');
  // Its file comes in the stead of the pressed message.
  const isUndone = new RegExp(`^Batch ${batch} is undone`);
  if (!(await talker.sees(({ id, text }) => id >= added.id && isUndone.test(text))))
    violate(`batch ${batch} was never undone`);
};

/** Never as many as in the paste before. */
function makeCodes(actor: Actor): string[] {
  const { seeded } = actor;
  const drawn = 1 + seeded.below(12);
  const length = drawn === actor.lastPasted ? drawn + 1 : drawn;
  actor.lastPasted = length;
  return Array.from({ length }, () => makeCode(seeded, '60S'));
}

async function pasteAtOnce(talker: Talker, codes: readonly string[], label: RegExp): Seen {
  const known = talker.newest();
  talker.says(`/add_codes 60 ${codes.join(' ')}`);
  return talker.sees((message) => message.id > known && findButton(message, label) !== undefined);
}

async function pasteInPieces(talker: Talker, seeded: Seeded, codes: readonly string[], label: RegExp): Seen {
  const known = talker.newest();
  const isOpen = (message: SeenMessage) => message.id > known && findButton(message, 'Done') !== undefined;
  const isPreview = (message: SeenMessage) => message.id > known && findButton(message, label) !== undefined;
  talker.says('/add_codes 60');
  if (!(await talker.sees(isOpen))) return undefined;
  for (let from = 0; from < codes.length;) {
    const size = 1 + seeded.below(5);
    talker.says(codes.slice(from, from + size).join('\n'));
    from += size;
  }
  await talker.arrived();
  for (let tries = 0; tries < 5; tries += 1) {
    const preview = await talker.sees(isPreview, PRESSED_AGAIN_AFTER_MS);
    if (preview) return preview;
    talker.says('Done');
  }
  return undefined;
}

const setThreshold: ChatAction = async (actor, { violate }) => {
  const { talker, seeded, denomination } = actor;
  if (denomination === undefined) return;
  const threshold = 1 + seeded.below(90_000);
  const known = talker.newest();
  actor.threshold = threshold;
  talker.says(`/settings ${denomination} ${threshold}`);
  const told = await talker.sees(
    ({ id, text }) => id > known && text.includes(`fewer than ${threshold} codes`),
  );
  if (!told) violate(`the threshold ${threshold} was never set`);
};

const NOTICE = /(🔔|🔕) Subscription ends/u;

const mute: ChatAction = async (actor, { violate }) => {
  const { talker } = actor;
  const known = talker.newest();
  talker.says('/settings');
  const main = await talker.sees(
    (message) => message.id > known && findButton(message, 'Notices') !== undefined,
  );
  if (!main) return violate('/settings was never answered');
  void talker.presses(main, 'Notices');
  const shown = await talker.sees(
    (message) => message.id === main.id && findButton(message, NOTICE) !== undefined,
  );
  const label = shown && findButton(shown, NOTICE)?.text;
  if (!shown || !label) return violate('the notices were never shown');
  actor.muted = label.startsWith('🔔');
  void talker.presses(shown, label);
  const turned = await talker.sees((message) => {
    const now = message.id === main.id ? findButton(message, NOTICE)?.text : undefined;
    return now !== undefined && now !== label;
  });
  if (!turned) violate('a notice was never turned');
};

const ACTIONS = { lookUp, redeem, paste, setThreshold, mute };
const WEIGHTS: Record<keyof typeof ACTIONS, number> = {
  lookUp: 30,
  redeem: 30,
  paste: 20,
  setThreshold: 8,
  mute: 12,
};

/** What somebody does next. */
export function chooseAction(seeded: Seeded): ChatAction {
  return ACTIONS[seeded.weigh(WEIGHTS)];
}

/** For whoever reads of a failure. */
function readSince(talker: Talker, known: number): string[] {
  const messages = talker.read().filter(({ id }) => id > known);
  return messages.map(
    ({ id, text, buttons }) => `${id}: ${text} ${JSON.stringify(buttons.map((b) => b.text))}`,
  );
}
