// Notices by the hundred for the people of one shop, as after a bad night; whoever asks meanwhile is answered as ever.
import Database from 'better-sqlite3';

import { sealNotice } from '../audit/notices.ts';
import { selvesOf } from '../people/index.ts';
import { findAccountOf } from '../run/rest.ts';
import type { Fault } from './index.ts';

const COUNT = 100;
/** They become messages. */
const BECOME_MS = 4_000;
const ANSWERED_WITHIN_MS = 12_000;
const KEEP = `
  insert into tasks (task, queue_key, payload_secret, created_at, queued_at, run_at)
  values ('announce', 'notices', @secret, @at, @at, @at)`;

export const crowdsOfNotices: Fault = {
  name: 'crowds of notices',
  weight: 2,
  async happen(world, random) {
    const { service, telegram, time, diary, disk } = world;
    const self = random.pick(selvesOf(world, 'admin'));
    const accountId = self && findAccountOf(disk, self.phone.user.id);
    if (!self || typeof accountId !== 'number' || !service.isServing()) return;
    const crowd = random.below(1e9);
    const hosts = Array.from({ length: COUNT }, (_, index) => `n${index}-of-${crowd}.invalid`);
    const at = time.machine.now();
    const file = new Database(disk.databasePath());
    const write = file.prepare(KEEP);
    file.transaction(() => {
      for (const host of hosts) {
        write.run({ at, secret: sealNotice(at, { kind: 'webhookOff', accountId, host }) });
      }
    })();
    file.close();
    diary.note(`${COUNT} notices for account ${accountId}`);
    diary.crowds.push({ user: self.phone.user, at: time.clock.now(), hosts });
    const starts = service.starts();
    await time.sleep(BECOME_MS);
    const answer = await self.phone.ask('/quota', ({ text }) => !text.startsWith('🔌'), ANSWERED_WITHIN_MS);
    const asked = diary.questions.findLast(({ user }) => user === self.phone.user);
    if (!answer && service.starts() === starts && asked && telegram.isHeard(asked.updateId))
      diary.amissBeside.push(
        `${self.name} was not answered within ${ANSWERED_WITHIN_MS} ms beside ${COUNT} notices`,
      );
  },
};
