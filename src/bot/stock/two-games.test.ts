// Codes behind the command where several games keep some: the game is asked for first, and no answer to that is met by
// silence.
import { expect, test, vi } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { withGames } from '../../../test/world/play/chat-file.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

test('codes that cannot be kept once the game is known are said to have failed', async () => {
  const t = await openStage({ ...withGames('two-games'), api: { flood: 'none' } });
  const broken = vi.spyOn(t.app().core.imports, 'addPiece').mockRejectedValue(new Error('The disk is full.'));
  try {
    const admin = personOf(t.api, t.people.admin);
    admin.says(`/add_codes 60 ${makeCode()} ${makeCode()}`);
    const answer = await admin.presses('Game 2');
    expect(answer?.text).toContain('Something went wrong on my side');
    expect(broken).toHaveBeenCalled();
  } finally {
    broken.mockRestore();
    await t.stop();
  }
});

test('a game that is pressed under an older question, when another import is open by then, asks about that', async () => {
  const t = await openStage({ ...withGames('two-games'), api: { flood: 'none' } });
  try {
    const admin = personOf(t.api, t.people.admin);
    admin.says(`/add_codes ${makeCode()}`);
    const older = await admin.sees('Which game?');
    admin.says('/stock');
    await admin.sees('began at 00:00');
    admin.says(`${makeCode()}\n${makeCode()}`);
    await admin.sees(({ id, text }) => id > older.id && text.includes('Which game?'));
    await admin.presses('Game 1');
    await admin.sees('Read: 1 message.');
    await t.api.press(admin.user, older, 'Game 1');
    await admin.sees('2 codes that you sent before are not added yet.');
    await admin.presses('Go on');
    await admin.sees('Read: 2 messages.');
  } finally {
    await t.stop();
  }
});
