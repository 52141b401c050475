// Who did something, in words: a member by name, a program by its key.
import type { Doer } from '../core/index.ts';
import { name } from './texts.ts';

type Label = (key: string, variables?: Record<string, string>) => string;

export function wordDoer(label: Label, doer: Doer): string {
  switch (doer.kind) {
    case 'member':
      return doer.name === undefined
        ? label('receipt-by-former', { id: String(doer.telegramId) })
        : name(doer.name);
    case 'apiKey':
      return label('receipt-by-api-key', { prefix: doer.prefix ?? String(doer.apiKeyId) });
    case 'host':
      return label('receipt-by-host');
    case 'lost':
      return label('receipt-by-lost');
  }
}
