// The host: grants days, gives money back, looks after its health.
import { FAULTS } from '../../telegram/faults.ts';
import type { Diary } from '../run/diary.ts';
import { hasButton, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { alone } from './phone.ts';
import type { Act, Self } from './index.ts';
import { walk } from './walker.ts';

/** Not the card of a payment that was asked for before, and came late. */
const ABOUT_A_GRANT = says(
  /Give this account|Take 1 day|no days of subscription|More than one account|no account|Which account/i,
);
const GIVE = /^(Give|Take) 1 day/;
const SEND_BACK = /^(Send .* back|Book as sent back)$/;
const RESUME = /^(Resume|Возобновить) · /;
const NUMBER = 'select id from purchases where charge_id = ?';

/** What they pressed may be answered so late. */
const LATE_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

export const actAsHost: Act = async (world, self) => {
  const { phone, random } = self;
  const { diary } = world;
  switch (random.weigh({ grant: 2, grantByName: 1, refund: 2, telegramRefunds: 3, look: 1, walk: 2 })) {
    case 'grant':
      return alone(phone, () => grant(self));
    case 'grantByName':
      return alone(phone, () => grantByName(world, self));
    case 'refund': {
      const paid = random.pick(diary.paid);
      if (!paid) return;
      const number = random.chance(0.5) ? findNumber(world, paid.chargeId) : undefined;
      const asked = await phone.ask(`/refund ${number ?? paid.chargeId}`, says(/./));
      if (!asked || !hasButton(SEND_BACK)(asked)) return;
      if (random.chance(0.5)) failToGiveBack(world, random);
      await phone.press(asked, SEND_BACK, { kind: 'refund' });
      return;
    }
    case 'telegramRefunds':
      return refundByTelegram(world, () => true);
    case 'walk':
      await walk(world, self, ['/accounts', '/accounts 2', '/health', '/payments', '/grant']);
      return resumeUpstream(self);
    case 'look':
      return void (await phone.ask(random.pick(['/accounts', '/health', '/payments']), says(/./)));
  }
};

/** What they have paused on their walk goes on after a while. */
async function resumeUpstream({ phone }: Self): Promise<void> {
  const health = await phone.ask('/health', says(/./));
  if (health && hasButton(RESUME)(health)) await phone.press(health, RESUME, { kind: 'walk' });
}

/** The short one, as the shop reads it; undefined where no shop has it. */
const findNumber = ({ disk }: World, chargeId: string) =>
  look(disk.databasePath(), (file) => file.prepare(NUMBER).pluck().get(chargeId)) as number | undefined;

/** Telegram answers nothing that can be used to the next attempts, whether it has carried them out or not. */
function failToGiveBack({ telegram }: World, random: Self['random']): void {
  const how = random.pick([FAULTS.badGateway, FAULTS.gatewayTimeoutAfter]);
  telegram.api.faults.next('refundStarPayment', how, 1 + random.below(6));
}

/** What was paid today and is chosen, without asking the bot. */
export function refundByTelegram(
  { diary, telegram, time }: World,
  isChosen: (paid: Diary['paid'][number]) => boolean,
): void {
  const paid = diary.paid.find(
    (each) => each.refundedAt === undefined && time.clock.now() - each.at < DAY_MS && isChosen(each),
  );
  if (!paid) return;
  try {
    telegram.api.refund(paid.chargeId);
    paid.refundedAt = time.clock.now();
  } catch {
    // The bot has given it back already.
  }
}

async function grant({ phone, random }: Self): Promise<void> {
  const days = random.chance(0.2) ? -1 : 1;
  const asked = await phone.ask(`/grant ${1 + random.below(3)} ${days}`, ABOUT_A_GRANT);
  if (asked && hasButton(GIVE)(asked)) await phone.press(asked, GIVE, { kind: 'grant' });
}

/** Every shop is called so: which one is meant nobody can know. */
async function grantByName({ shops, diary, time }: World, { phone }: Self): Promise<void> {
  // What was asked for before may be asked about only now.
  const isLate = diary.questions.some(
    ({ user, text, isAnswered }) => user === phone.user && text.startsWith('"/grant') && !isAnswered,
  );
  const asked = await phone.ask('/grant shop 1', ABOUT_A_GRANT);
  // Or they look around in the same moment, and choose an account to grant days to there.
  const isBeside = diary.taps.some(
    ({ user, kind, at }) => user === phone.user && kind === 'walk' && time.clock.now() - at < LATE_MS,
  );
  if (!isLate && !isBeside && shops.length > 1 && asked && hasButton(GIVE)(asked))
    diary.notice(`the host named no shop, and is asked: ${asked.text}`);
}
