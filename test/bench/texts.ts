// Row 15: the dearest text of a message's length through any reader of what people write, in processor time.
import { describeText, drawnTexts, knownTexts } from '../harness/hostile-texts.ts';
import { costOf, MOST_TEXT_MS, openTextReaders } from '../harness/text-readers.ts';
import { roundsOf, scaled, value, type BenchGroup } from './figures.ts';
import { takeTurns } from './rounds.ts';

const SEED = 20_256;

export const texts: BenchGroup = {
  rows: [15],

  async measure(_row, options) {
    options.tell('15: hostile texts');
    const known = knownTexts({ brief: options.scale !== 'full' });
    const hostile = [
      ...known,
      ...drawnTexts(SEED, scaled(options, { tiny: 1, quick: 50, normal: 200, full: 2_000 })),
    ];
    const { readers, close } = await openTextReaders();
    let dearest = { ms: 0, note: '' };
    const { dear, load } = await takeTurns(roundsOf(options), {
      dear: async () => {
        let most = 0;
        for (const reader of readers)
          for (const text of hostile) {
            const ms = await costOf(reader, text);
            most = Math.max(most, ms);
            if (ms > dearest.ms) dearest = { ms, note: `${reader.what}: ${describeText(text)}` };
          }
        return most;
      },
    });
    await close();
    const title = `dearest of ${hostile.length} texts of 4,096 characters, any reader`;
    return [value(15, title, { values: dear, atMost: MOST_TEXT_MS, unit: 'ms', load, note: dearest.note })];
  },
};
