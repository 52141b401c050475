// Beside grammY's own composer: the same handlers, in the same order, with the same ways to go on.
import fc from 'fast-check';
import { Api, Composer, Context, type Middleware } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import { describe, expect, it } from 'vitest';

import type { BotContext } from './context.ts';
import { Handlers } from './handlers.ts';

type Make = (...middleware: Middleware<BotContext>[]) => Composer<BotContext>;
const OURS: Make = (...middleware) => new Handlers(...middleware);
const GRAMMYS: Make = (...middleware) => new Composer(...middleware);

const command = (text: string): Partial<Update> => ({
  message: {
    message_id: 1,
    date: 0,
    chat: { id: 7, type: 'private', first_name: 'a' },
    from: { id: 7, is_bot: false, first_name: 'a' },
    text,
    entities: [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]?.length ?? 0 }],
  },
});
const tap = (data: string): Partial<Update> => ({
  callback_query: { id: '1', chat_instance: '1', from: { id: 7, is_bot: false, first_name: 'a' }, data },
});
const UPDATES = [
  command('/a'),
  command('/b 1 2'),
  command('/c'),
  tap('a:1'),
  tap('a:2'),
  tap('b'),
  tap('none'),
];

function contextOf(update: Partial<Update>): BotContext {
  const me = { id: 1, is_bot: true, first_name: 'bot', username: 'bot' };
  return new Context({ update_id: 1, ...update }, new Api('1:a'), me as UserFromGetMe) as BotContext;
}

/** What is registered: a trigger, or everything; whether it goes on; what stands behind it. */
interface Plan {
  trigger: 'everything' | `/${string}` | `button ${string}` | 'messages';
  goesOn: boolean;
  nested: Plan[];
}

const TRIGGERS: Plan['trigger'][] = ['everything', '/a', '/b', 'button a', 'button b', 'messages'];
const plansOf = (nested: fc.Arbitrary<Plan[]>): fc.Arbitrary<Plan[]> =>
  fc.array(fc.record({ trigger: fc.constantFrom(...TRIGGERS), goesOn: fc.boolean(), nested }), {
    maxLength: 4,
  });
const plans = plansOf(plansOf(plansOf(fc.constant([]))));

/** Writes down every handler with what the filter matched, on the way in and on the way out. */
function build(make: Make, each: readonly Plan[], told: string[], path = ''): Composer<BotContext> {
  const composer = make();
  for (const [index, { trigger, goesOn, nested }] of each.entries()) {
    const name = `${path}${index}`;
    const note: Middleware<BotContext> = async (ctx, next) => {
      told.push(`${name} ${String(Array.isArray(ctx.match) ? ctx.match[0] : ctx.match)}`);
      if (goesOn) await next();
      told.push(`${name} over`);
    };
    const behind = register(composer, trigger, note);
    behind.use(build(make, nested, told, `${name}.`));
  }
  return composer;
}

function register(
  composer: Composer<BotContext>,
  trigger: Plan['trigger'],
  note: Middleware<BotContext>,
): Composer<BotContext> {
  if (trigger === 'everything') return composer.use(note);
  if (trigger === 'messages') return composer.on('message:text', note) as unknown as Composer<BotContext>;
  const name = trigger.split(/[/ ]/).at(-1) ?? '';
  return (trigger.startsWith('/')
    ? composer.command(name, note)
    : composer.callbackQuery(new RegExp(`^${name}(?::(\\d))?$`), note)) as unknown as Composer<BotContext>;
}

describe('handlers', () => {
  it('answer what a composer of grammY answers, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.constantFrom(...UPDATES), async (plan, update) => {
        const told: Record<string, string[]> = { ours: [], grammys: [] };
        for (const [whose, make] of Object.entries({ ours: OURS, grammys: GRAMMYS })) {
          const steps = told[whose] ?? [];
          await build(make, plan, steps).middleware()(contextOf(update), () => {
            steps.push('the end');
            return Promise.resolve();
          });
        }
        expect(told['ours']).toEqual(told['grammys']);
      }),
      { numRuns: 500 },
    );
  });

  it('refuse a second next(), and let through what a handler throws', async () => {
    const twice = new Handlers(async (_ctx, next) => {
      await next();
      await next();
    });
    const failing = new Handlers();
    failing.command('a', () => {
      throw new Error('by hand');
    });
    const end = () => Promise.resolve();
    await expect(twice.middleware()(contextOf(command('/a')), end)).rejects.toThrow('twice');
    await expect(failing.middleware()(contextOf(command('/a')), end)).rejects.toThrow('by hand');
  });

  it('take what only has a middleware, each time as it is then', async () => {
    const told: string[] = [];
    let word = 'first';
    const handlers = new Handlers({ middleware: () => (_ctx, next) => (told.push(word), next()) });
    for (word of ['first', 'second'])
      await handlers.middleware()(contextOf(command('/a')), () => Promise.resolve(void told.push('the end')));
    expect(told).toEqual(['first', 'the end', 'second', 'the end']);
  });

  it('ask no filter that stands behind the answer', async () => {
    let asked = 0;
    const handlers = new Handlers();
    handlers.command('a', () => undefined);
    handlers.filter(
      () => ++asked > 0,
      () => undefined,
    );
    await handlers.middleware()(contextOf(command('/a')), () => Promise.resolve());
    expect(asked).toBe(0);
  });
});
