// Adding, and taking back, that are refused since a role or the catalogue changed meanwhile: the person is told, and what
// was pressed stands as it did.
import { expect, test, vi } from 'vitest';

import { openStage } from '../../../test/world/play/stage.ts';
import { personOf } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';
import { CoreError } from '../../core/index.ts';

test('what is more than a moment of work, and refused, is told, and its button stays', async () => {
  const t = await openStage({ api: { flood: 'none' } });
  try {
    const admin = personOf(t.api, t.people.admin);
    const { imports } = t.app().core;
    const pressRefused = async (label: string, work: 'beginCommit' | 'beginUndo') => {
      const before = await admin.sees(({ buttons }) => buttons.some(({ text }) => text === label));
      const refused = vi
        .spyOn(imports, work)
        .mockRejectedValue(new CoreError('FORBIDDEN', 'Your role may not do this.'));
      await admin.presses(label);
      await t.quiet();
      await admin.sees('may not do this');
      expect(admin.all().find(({ id }) => id === before.id)).toMatchObject({
        text: before.text,
        buttons: before.buttons,
      });
      refused.mockRestore();
    };
    const adds = async () => {
      admin.says('/add_codes 60');
      await admin.sees('Paste the codes now');
      admin.sendsFile('codes.txt', Array.from({ length: 3_000 }, () => makeCode()).join('\n'));
      await admin.sees('60 UC: 3000 new');
    };
    await adds();
    await pressRefused('Add 3000 codes', 'beginCommit');
    admin.says('/cancel');
    await admin.sees('what you pasted is dropped');
    await adds();
    await admin.presses('Add 3000 codes');
    await t.quiet();
    await pressRefused('Undo', 'beginUndo');
  } finally {
    await t.stop();
  }
});
