// Who did something, in words: a member by name, a program by its key.
import type { ActorLabel } from '../core/index.ts';
import { name } from './texts.ts';

type Label = (key: string, variables?: Record<string, string>) => string;

export function labelActor(label: Label, actorLabel: ActorLabel): string {
  switch (actorLabel.kind) {
    case 'member':
      return actorLabel.name === undefined
        ? label('receipt-by-former', { id: String(actorLabel.telegramId) })
        : name(actorLabel.name);
    case 'apiKey':
      return label('receipt-by-api-key', { prefix: actorLabel.prefix ?? String(actorLabel.apiKeyId) });
    case 'host':
      return label('receipt-by-host');
    case 'lost':
      return label('receipt-by-lost');
  }
}
