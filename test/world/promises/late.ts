// What has a time is not done after it: a confirmation is good for a quarter of an hour, a batch is taken back within
// an hour.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** An update may be under way for a while before it is kept; it is handled after that. */
const PRESSED_LATE = `
  select d.action, d.taken_by as updateId, (i.received_at - d.expires_at) / 60000 as minutes
  from confirmations d join inbox i on i.update_id = d.taken_by
  where d.taken_by is not null and i.received_at > d.expires_at and i.received_at > ?`;
const UNDO_WITHIN_MS = 60 * 60_000;
const UNDONE_LATE = `
  select b.id, (j.at - b.at) / 60000 as minutes from jobs j join batches b on j.kind = 'undo' and b.id = j.subject_id
  where j.at > ? and j.at > b.at + ${UNDO_WITHIN_MS}`;

export function noConfirmationIsTakenLate({ disk, diary }: World): string[] {
  const since = diary.judgedUntil;
  const rows = look(
    disk.databasePath(),
    (file) =>
      file.prepare(PRESSED_LATE).all(since) as { action: string; updateId: number; minutes: number }[],
  );
  return rows.map(
    ({ action, updateId, minutes }) =>
      `update ${updateId} ordered ${action} by a button that was over for ${minutes} minutes`,
  );
}

export function noBatchIsUndoneLate({ disk, diary }: World): string[] {
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(UNDONE_LATE).all(diary.judgedUntil) as { id: number; minutes: number }[],
  );
  return rows.map(({ id, minutes }) => `batch ${id} was undone ${minutes} minutes after it was added`);
}
