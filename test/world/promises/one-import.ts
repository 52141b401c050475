// A person has one import open: what was pasted before is added, dropped or gone on with before another begins.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const OPEN_TWICE = `
  select actor, count(*) as count from imports i
  where state = 'collecting' and exists (select 1 from import_pieces p where p.import_id = i.id)
  group by account_id, actor having count(*) > 1`;

export function onePersonHasOneImportOpen({ disk }: World): string[] {
  return look(disk.databasePath(), (file) =>
    (file.prepare(OPEN_TWICE).all() as { actor: string; count: number }[]).map(
      ({ actor, count }) => `${actor} has ${count} imports open, each with its own paste`,
    ),
  );
}
