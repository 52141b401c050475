// An admin, who pastes what suppliers send, as they send it: headings of every kind, several messages, files; who
// undoes, takes out, counts and exports.
import type { SeenMessage } from '../../telegram/types.ts';
import { hasButton, says, TAKE_OUT, alone } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { wishFor } from './client.ts';
import type { Kind, Self } from './index.ts';
import {
  ADD,
  addAfterMore,
  beginAnother,
  beginImport,
  BROKEN,
  DROP,
  finishPaste,
  isPreview,
  leaveSomethingElse,
  noteUntold,
  pasteWithCaption,
} from './pasting.ts';
import { listAgain } from './resent.ts';
import { tidyUp } from './cleanup.ts';
import { exportWhole, oustColleague, overstep } from './overstepping.ts';
import { DENOMINATIONS } from './shop.ts';

/** Ways to write a heading, as suppliers do. */
const HEADINGS: readonly ((denomination: number) => string)[] = [
  (n) => `${n} UC`,
  (n) => `${n}:`,
  (n) => `UC${n}`,
  (n) => `${n} юс`,
  (n) => `${n} x 100`,
  (n) => `коды по ${n}`,
  (n) => `--- ${n} UC ---`,
  (n) => `${n} codes`,
  (n) => `🔥 ${n} UC 🔥`,
  (n) => `Next ${n}`,
  (n) => `${n}\tшт`,
];
/** Above codes that are of none of the denominations that the shop has, or of one that nobody can know. */
const UNKNOWN = ['Royal pass', 'мусор', '777 UC', 'bonus', '60/325'] as const;
const TAKEABLE =
  "select count(*) from codes where account_id = ? and game_id = 'game_id_1' and denomination = ? and state in ('available', 'unverified')";
const BETWEEN = ['\n', '\n', ' ', ', ', '\n- ', ';\n'] as const;

export const admin: Kind = {
  kind: 'admin',
  role: 'admin',
  ofAShop: 1,
  actsADay: 1,
  async act(world, self) {
    const { phone, random } = self;
    await handleBadCodes(self);
    switch (
      random.weigh({
        paste: 5,
        add: 2,
        undo: 2,
        lateUndo: 1,
        mute: 0.5,
        extract: 3,
        export: 1,
        statistics: 1,
        threshold: 1,
        batches: 1,
        caption: 1,
        more: 0.7,
        beside: 0.5,
        another: 0.5,
        oust: 1,
        overstep: 0.5,
        tidy: 0.7,
      })
    ) {
      case 'paste':
        return alone(phone, () => paste(world, self));
      case 'add':
        return alone(phone, () => add(self, random.chance(0.3) ? listedAgain(world, self) : undefined));
      case 'undo':
        return alone(phone, () => addAndUndo(world, self));
      case 'mute':
        return choose(self);
      case 'lateUndo': {
        const old = phone.newest(16).find(hasButton('Undo'));
        return void (old && (await phone.press(old, 'Undo')));
      }
      case 'extract':
        return takeOut(self);
      case 'export':
        if (random.chance(0.3)) return exportWhole(self);
        return void (await phone.ask(
          '/export 7',
          ({ document, text }) => document !== undefined || /no receipts/.test(text),
        ));
      case 'statistics':
        return void (await phone.ask(
          '/stats 7',
          ({ photo, text }) => photo !== undefined || /last 7 days/.test(text),
        ));
      case 'threshold':
        return void (await phone.ask(
          `/settings 60 ${random.chance(0.5) ? random.below(60) : countOf(world, self) + random.below(4)}`,
          says(/Saved/),
        ));
      case 'caption':
        return alone(phone, () => pasteWithCaption(self));
      case 'more':
        return alone(phone, () => addAfterMore(world, self));
      case 'beside':
        return alone(phone, () => leaveSomethingElse(world, self));
      case 'another':
        return alone(phone, () => beginAnother(world, self));
      case 'oust':
        return oustColleague(world, self);
      case 'overstep':
        return overstep(world, self);
      case 'tidy':
        return alone(phone, () => tidyUp(world, self));
      case 'batches':
        return undoOld(self, await phone.ask('/batches', says(/./)));
    }
  },
};

/**
 * Has a few codes of some denomination sent as a file, where there are any: so many as they say, or one of the amounts
 * offered.
 */
export async function takeOut({ phone, random }: Self): Promise<void> {
  const amount = random.chance(0.5) ? ` ${1 + random.below(4)}` : '';
  const asked = await phone.ask(
    `/extract_codes ${random.pick(DENOMINATIONS)}${amount}`,
    says(/ake out|no codes/),
  );
  const labels = (asked?.buttons ?? []).map(({ text }) => text).filter((text) => TAKE_OUT.test(text));
  if (!asked || labels.length === 0) return;
  // In a hurry two amounts are pressed side by side: one of them is taken out.
  const pressed = random.chance(0.3) ? labels.slice(0, 2) : [random.pick(labels.slice(0, 2))];
  await Promise.all(pressed.map((label) => phone.press(asked, label, { kind: 'extract' })));
}

/** A denomination is paused: what was refused is tried again, and it goes on. */
async function handleBadCodes({ phone }: Self): Promise<void> {
  const paused = phone.newest(16).find((message) => hasButton('Go on')(message) && !hasButton(DROP)(message));
  if (!paused) return;
  await phone.press(paused, 'Go on');
  const stock = await phone.ask('/stock', says(/available/));
  const list =
    stock && hasButton(/^Refused codes/)(stock) ? await phone.press(stock, /^Refused codes/) : undefined;
  const asked = list && hasButton(/^Try again/)(list) ? await phone.press(list, /^Try again/) : undefined;
  if (!asked || !hasButton(/^Try \d/)(asked)) return;
  await phone.press(asked, /^Try \d/, { kind: 'tryAgain' });
}

async function add({ phone, random, shop }: Self, fresh?: string[]) {
  const codes = fresh ?? shop.mint(random.pick(DENOMINATIONS), 1 + random.below(4));
  const [denomination] = (codes[0] ?? '').split('S');
  const asked = await beginImport({ phone }, `/add_codes ${denomination} ${codes.join(' ')}`, hasButton(ADD));
  return asked && phone.press(asked, ADD, { kind: 'add' });
}

async function addAndUndo(world: World, self: Self): Promise<void> {
  const { phone, random, shop } = self;
  const denomination = random.pick(DENOMINATIONS);
  const codes = shop.mint(denomination, 2 + random.below(4));
  await add(self, codes);
  const added = await phone.sees(hasButton('Undo'), 5_000);
  // Below what there is now it is too few: that is told when they are gone.
  if (random.chance(0.3))
    await phone.ask(`/settings ${denomination} ${countOf(world, self, denomination)}`, says(/Saved/));
  // One of them is used before it is taken back, or just being used.
  const [code = ''] = codes;
  const used = random.chance(0.6)
    ? wishFor(world, self, { gameId: 'game_id_1', codeOverride: code })
    : undefined;
  if (random.chance(0.5)) await used;
  if (added) await phone.press(added, 'Undo', { kind: 'undo' });
  await used;
}

/** Some of them stand in the stock already, or are spent; one is there twice. */
function listedAgain(world: World, self: Self): string[] {
  const { fresh, used } = listAgain(world, self, self.random.pick(DENOMINATIONS));
  return [...fresh, ...used, ...fresh.slice(0, 1)];
}

/** How many there are: a threshold near it is crossed soon, and crossed back. */
const countOf = ({ disk }: World, { shop }: Self, denomination = 60): number =>
  look(
    disk.databasePath(),
    (file) => file.prepare(TAKEABLE).pluck().get(shop.accountId, denomination) as number,
  );

/** Whatever can be undone still, by what the list says. */
export async function undoOld(
  { phone, random }: Self,
  list: SeenMessage | undefined,
  which?: 'the newest',
): Promise<void> {
  const labels = (list?.buttons ?? []).map(({ text }) => text).filter((text) => /Undo/.test(text));
  if (!list || labels.length === 0) return;
  const asked = await phone.press(list, which ? (labels[0] ?? '') : random.pick(labels));
  if (asked && (which ?? random.chance(0.5)) && hasButton(/^Undo/)(asked))
    await phone.press(asked, /^Undo/, { kind: 'undo' });
}

/** Two or three stock keys under their headings, in one paste. Whatever is asked about is not added. */
async function paste(world: World, self: Self): Promise<void> {
  const { phone, random, shop } = self;
  const stockKeys = DENOMINATIONS.filter(() => random.chance(0.6)).map((denomination) => {
    const codes = shop.mint(denomination, 2 + random.below(3));
    return `${random.pick(HEADINGS)(denomination)}\n${codes.join(random.pick(BETWEEN))}`;
  });
  if (stockKeys.length === 0) return;
  // Whatever stands above them, they are not of the stock key before.
  if (random.chance(0.15)) {
    const denomination = random.pick(DENOMINATIONS);
    stockKeys.push(`${random.pick(UNKNOWN)}\n${shop.mint(denomination, 2).join('\n')}`);
  }
  const broken = random.chance(0.4) ? random.pick(BROKEN) : undefined;
  if (broken !== undefined) stockKeys.splice(random.below(stockKeys.length), 1, `${stockKeys[0]}\n${broken}`);
  if (random.chance(0.3)) {
    const bytes = Buffer.from(stockKeys.join('\n\n'));
    await phone.ask({ document: { name: 'codes.txt', bytes } }, isPreview);
  } else await phone.ask(stockKeys.join('\n\n'), isPreview);
  const preview = await finishPaste({ phone });
  noteUntold(world, self, broken, preview);
  // A wrong list: what it held of every denomination comes back as one file.
  const added = random.chance(0.25) ? await phone.sees(hasButton('Undo'), 6_000) : undefined;
  if (added) await phone.press(added, 'Undo', { kind: 'undo' });
}

// Somebody who has had enough of a kind of notices, or wants it again.

const KIND = /^(?:🔔|🔕)/u;

async function choose({ phone, random }: Pick<Self, 'phone' | 'random'>): Promise<void> {
  const settings = await phone.ask('/settings', ({ buttons }) => buttons.length > 2);
  const label = settings?.buttons.find(({ callback_data: data }) => data === 'settings:notices')?.text;
  if (!settings || label === undefined) return;
  await phone.press(settings, label);
  const shown = await phone.sees(hasButton(KIND), 5_000);
  const kinds = (shown?.buttons ?? []).map(({ text }) => text).filter((text) => KIND.test(text));
  const kind = kinds.length > 0 ? random.pick(kinds) : undefined;
  if (shown && kind !== undefined) await phone.press(shown, kind);
}
