// What people and hosts are to be told, as the service has written it down: read while it is there, since it is
// forgotten after two days.
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from '../run/world.ts';

export interface WrittenNotice {
  id: number;
  at: number;
  /** Of a day before: numbers tell nothing of that, since every restore goes on with others. */
  isJudged?: boolean;
  /** When it had become messages. */
  announcedAt: number | null;
  accountId: number | null;
  kind: string;
  actor?: string;
  redemptionId?: number;
  denomination?: number;
  threshold?: number;
  left?: string;
  percent?: number;
  endsAt?: number;
  daysLeft?: number;
}

interface Row {
  id: number;
  at: number;
  announcedAt: number | null;
  secret: Buffer;
}

const WRITTEN = `
  select id, queued_at as at, done_at as announcedAt, payload_secret as secret from tasks where task = 'announce' and id > ?`;
const secrets = createSecrets(KEY);

/** Of today. */
export function learnNotices({ disk, diary }: World): void {
  const rows = look(disk.databasePath(), (file) => file.prepare(WRITTEN).all(diary.judgedNotice) as Row[]);
  for (const { secret, ...row } of rows) {
    const notice = JSON.parse(secrets.open(`task:announce:${row.at}`, secret)) as WrittenNotice;
    diary.notices.set(row.id, { ...notice, ...row });
  }
}

/** Has notices of an account wait, as its own process writes them. */
export function sealNotice(at: number, notice: object): Buffer {
  return secrets.seal(`task:announce:${at}`, JSON.stringify(notice));
}
