// `new`: an empty database where there was one, once somebody has said that it is meant.
import { existsSync } from 'node:fs';

import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { createStore } from '../store/index.ts';
import { printLine, readSettings, Refusal } from './command.ts';

export const newCommand = new Command('new')
  .description('makes an empty database where the one that was there is gone. Nothing of that is in it')
  .action(async () => {
    const { databasePath: path, encryptionKey } = readSettings();
    if (existsSync(path))
      throw new Refusal(`${path} is there. Move it away first, if another is to take its place.`);
    await createStore({ path, encryptionKey, exclusive: true }).close(systemClock.now());
    await printLine({ new: path });
  });
