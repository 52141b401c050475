// Somebody who guesses keys of programs: none of them opens, and soon none is looked at any more (wire.md,
// "Authentication").
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

/**
 * Twice as many as an address has in a minute, and more: where one of them is over meanwhile, one of the two meets its
 * end.
 */
const GUESSES = 70;
const MINUTE_S = 60;

export async function guessKeys(
  world: World,
  { random, phone }: Pick<Self, 'random' | 'phone'>,
): Promise<void> {
  const { service, diary } = world;
  const who = phone.user.first_name;
  const starts = service.starts();
  diary.note(`${who} guesses ${GUESSES} keys`);
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, () =>
      service.ask('/quota', { headers: { authorization: `Bearer crs_${random.text(43)}` } }),
    ),
  );
  // A process that begins has counted nothing.
  if (service.starts() !== starts) return;
  const heard = answers.filter((answer) => answer !== 'lost');
  if (heard.length < GUESSES) return;
  const odd = heard.find(({ status }) => status !== 401 && status !== 429 && status !== 503);
  if (odd) diary.notice(`${who} guessed a key, and is answered ${odd.status}`);
  const refused = heard.filter(({ status }) => status === 429);
  if (refused.length === 0)
    diary.cutOff.push(`${who} guessed ${GUESSES} keys in a moment, and all were heard`);
  const long = refused
    .map(({ headers }) => Number(headers.get('retry-after')))
    .find((s) => !(s >= 1 && s <= MINUTE_S));
  if (long !== undefined) diary.notice(`${who} may guess again in ${long} s`);
}
