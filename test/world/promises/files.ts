// A file holds what stands under it: so many codes, so many receipts. Logins are in files of owners alone.
import type { World } from '../run/world.ts';
import { listHeld } from './held.ts';

const OF_CODES = /<b>(Extraction|Batch) (\d+)<\/b>: (\d+) codes?/;
const OF_RECEIPTS = /^(\d+) receipts?[ .]/;
const HEADING = /:\s*$/;

export function aFileHoldsWhatStandsUnderIt({ said }: World): string[] {
  return said.today.flatMap(({ chatId, text, document }) => {
    if (document === undefined) return [];
    const lines = document.split('\n').filter((line) => line.trim() !== '');
    const [, what, of, codes] = OF_CODES.exec(text) ?? [];
    const held = lines.filter((line) => !HEADING.test(line)).length;
    if (codes !== undefined && held !== Number(codes))
      return [`${chatId} was sent a file of ${what} ${of} with ${held} codes, and told of ${codes}`];
    const [, receipts] = OF_RECEIPTS.exec(text) ?? [];
    if (receipts !== undefined && lines.length - 1 !== Number(receipts))
      return [`${chatId} was sent a file of ${lines.length - 1} receipts, and told of ${receipts}`];
    return [];
  });
}

export function loginsAreExportedByOwnersAlone(world: World): string[] {
  return world.said.today.flatMap(({ chatId, document = '' }) => {
    if (!document.includes('topup.')) return [];
    return listHeld(world, chatId).some(({ role }) => role === 'owner')
      ? []
      : [`${chatId} was sent a file with logins, and owns nothing`];
  });
}
