// Somebody whose every quarter is counted: nobody else uses their account. They look a player up while the process is
// killed at one of its commits; when it goes on they are shown whom they asked for, and have paid for it once.
import { randomPlayer } from '../people/client.ts';
import { keepOnTrial } from '../people/trial.ts';
import { hasButton } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { Fault } from './index.ts';
import { killAtACommit } from './kill.ts';

const MOST_COMMITS = 4;
const WATCHED_MS = 3_000;
const PATIENCE_MS = 60_000;
const JUST_BEFORE_MS = 2 * 60_000;
const CHARGED =
  "select count(*) from usages where account_id = ? and kind = 'character' and returned_at is null";

export const counted: Fault = {
  name: 'every quarter counted',
  weight: 1,
  async happen(world, random) {
    const { people, service, diary, time, disk } = world;
    const trial = people.find(({ kind }) => kind === 'trial');
    const self = trial?.self;
    if (!self || !service.isServing() || time.machine.now() !== time.clock.now()) return;
    await keepOnTrial(world, self.shop);
    const count = () =>
      look(disk.databasePath(), (file) => file.prepare(CHARGED).pluck().get(self.shop.accountId) as number);
    const [before, from] = [count(), time.clock.now()];
    const shown = self.phone.ask(`${randomPlayer(random)} 60`, hasButton(/^Redeem/), PATIENCE_MS);
    await killAtACommit(world, {
      what: 'at a look-up',
      which: 1 + random.below(MOST_COMMITS),
      withinMs: WATCHED_MS,
    });
    await shown;
    // What they asked a moment before may be charged only now.
    const asked = diary.questions.filter(
      ({ user, at }) => user.id === self.phone.user.id && at >= from - JUST_BEFORE_MS,
    );
    const paid = count() - before;
    if (asked.length === 1 && paid > 1)
      diary.amissBeside.push(`${self.name} looked one player up, and paid for ${paid}`);
  },
};
