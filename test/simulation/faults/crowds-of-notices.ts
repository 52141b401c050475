// Notices by the hundred for the people of one shop, as after a bad night; whoever asks meanwhile is answered as ever.
import Database from 'better-sqlite3';

import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { selvesOf } from '../people/index.ts';
import { findAccountOf } from '../rest.ts';
import { KEY } from '../service.ts';
import type { Fault } from './index.ts';

const COUNT = 100;
/** They become messages. */
const BECOME_MS = 4_000;
const ANSWERED_WITHIN_MS = 12_000;
const KEEP = "insert into notices (account_id, kind, payload_secret, at) values (?, 'webhookOff', ?, ?)";
const secrets = createSecrets(KEY);

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
        const notice = { kind: 'webhookOff', accountId, host };
        write.run(accountId, secrets.seal(`notice:webhookOff:${at}`, JSON.stringify(notice)), at);
      }
    })();
    file.close();
    diary.note(`${COUNT} notices for account ${accountId}`);
    diary.crowds.push({ user: self.phone.user, at: time.clock.now(), hosts });
    await time.sleep(BECOME_MS);
    const began = time.clock.now();
    const answer = await self.phone.ask('/quota', ({ text }) => !text.startsWith('🔌'), ANSWERED_WITHIN_MS);
    const isStruck = diary.struck.some(({ at: when }) => when >= began - BECOME_MS) || !service.isServing();
    const asked = diary.questions.findLast(({ user }) => user === self.phone.user);
    if (!answer && !isStruck && asked && telegram.isHeard(asked.updateId))
      diary.amiss.push(
        `${self.name} was not answered within ${ANSWERED_WITHIN_MS} ms beside ${COUNT} notices`,
      );
  },
};
