// A conversation held without the bot around it: what is heard is given, and what was said is remembered. For tests of
// one alone.
import type { BotConversation, InnerContext } from '../../src/bot/context.ts';
import type { ConversationEntry } from '../../src/bot/conversation.ts';
import { runConversation } from '../../src/bot/prompts/start-conversation.ts';
import { createRecordedContext, type SaidWords } from './bot-words.ts';

/** A message; or a button of the conversation by its value, or any other by its data. */
export type Heard = { text?: string } | { choice: string } | { data: string };

/**
 * How it stands after all was heard: over, waiting for more, back where it `waits` for the next of many, or left
 * so that others answer what was heard last.
 */
type End = 'over' | 'waiting' | 'rewound' | 'left';

class Stopped extends Error {
  readonly end: End;
  constructor(end: End) {
    super(end);
    this.end = end;
  }
}

/** `fields` of the context; `given` is what it begins with. What it was not for is said as `skipped`. */
export async function holdConversation(
  entry: ConversationEntry,
  { given = {}, hears = [], fields = {} }: { given?: object; hears?: readonly Heard[]; fields?: object },
): Promise<{ said: SaidWords[]; end: End }> {
  const { ctx: outer, said } = createRecordedContext(fields);
  const rest = [...hears];
  const stop = (end: End) => Promise.reject(new Stopped(end));
  const conversation = {
    external: (work: (ctx: object) => unknown) => Promise.resolve(outer).then(work),
    wait: () => {
      const heard = rest.shift();
      if (!heard) return stop('waiting');
      const next = toContext(heard);
      Object.assign(outer, next);
      return Promise.resolve(next);
    },
    skip: () => Promise.resolve(void said.push(['skipped', undefined])),
    halt: (how?: { next: boolean }) => stop(how?.next ? 'left' : 'over'),
    checkpoint: () => 'here',
    rewind: () => stop('rewound'),
  };
  try {
    await runConversation(
      entry,
      conversation as unknown as BotConversation,
      { ...outer } as unknown as InnerContext,
      given,
      { secret: () => 'n' },
    );
    return { said, end: 'over' };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return { said, end: error.end };
  }
}

function toContext(heard: Heard): object {
  if ('choice' in heard || 'data' in heard) {
    const data = 'data' in heard ? heard.data : `prompts:n:${heard.choice}`;
    return { message: undefined, callbackQuery: { id: 'tap', data }, tapAnswered: false };
  }
  return { message: { message_id: 50, ...heard }, callbackQuery: undefined };
}
