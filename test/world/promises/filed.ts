// A code is in stock under the denomination under which it was pasted: people's codes tell theirs by how they begin.
import { ANY } from '../people/shop.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from './ledger.ts';

export function everyCodeIsFiledAsItWasPasted({ disk, secrets }: World): string[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare('select code_hash as hash, denomination from codes').all(),
  );
  const filed = new Map(
    (rows as { hash: Buffer; denomination: number }[]).map(({ hash, denomination }) => [
      hash.toString('hex'),
      denomination,
    ]),
  );
  return secrets.codes().flatMap((code) => {
    const denomination = filed.get(hashOf('game_id_1', code));
    if (denomination === undefined || code.startsWith(`${denomination}S`) || code.startsWith(`${ANY}S`))
      return [];
    return [`${code} stands under ${denomination}`];
  });
}
