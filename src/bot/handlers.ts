// The router of updates: handlers, tried in the order in which they were registered, as grammY's composer does it. That
// one pays for every handler which an update passes by: promises to ask its filter, promises to go on, a composer to
// hold the answer. Two hundred handlers wait here and most updates are for one of them, so they are laid out in one
// row: filters are asked in a loop, and only what is called costs a promise.
import { Composer, type Middleware, type MiddlewareFn, type NextFunction } from 'grammy';

import type { BotContext } from './context.ts';

/** Asked once or more often for an update: it changes nothing but `ctx.match`. Never a promise. */
type Predicate = (ctx: BotContext) => boolean;

interface Route {
  /** undefined: every update. */
  isFor: Predicate | undefined;
  then: Handlers | MiddlewareFn<BotContext>;
}

/** A place in the row: a filter with the place to go on at where it does not match, or what answers. */
type Step = { isFor: Predicate; otherwise: number } | { answer: MiddlewareFn<BotContext> };

/** A composer for many filters, of which few match; the same as grammY's in everything else. */
export class Handlers extends Composer<BotContext> {
  /** Of all handlers there are: a row holds what is registered behind others, too. */
  static #registered = 0;
  readonly #routes: Route[] = [];
  #row: { steps: readonly Step[]; registered: number } | undefined;

  constructor(...middleware: readonly Middleware<BotContext>[]) {
    super();
    for (const each of middleware) this.#routes.push({ isFor: undefined, then: toThen(each) });
  }

  override use(...middleware: Middleware<BotContext>[]): Handlers {
    return this.#add(undefined, middleware);
  }

  override filter<D extends BotContext>(
    predicate: (ctx: BotContext) => ctx is D,
    ...middleware: Middleware<D>[]
  ): Composer<D>;
  override filter(predicate: Predicate, ...middleware: Middleware<BotContext>[]): Composer<BotContext>;
  override filter(predicate: Predicate, ...middleware: Middleware<BotContext>[]): Composer<BotContext> {
    return this.#add(predicate, middleware);
  }

  override middleware(): MiddlewareFn<BotContext> {
    return (ctx, next) => handle(this.#layOut(), ctx, next, 0);
  }

  /** What is registered behind the answer later comes after what is given now. */
  #add(isFor: Predicate | undefined, middleware: readonly Middleware<BotContext>[]): Handlers {
    const behind = new Handlers(...middleware);
    this.#routes.push({ isFor, then: behind });
    Handlers.#registered += 1;
    return behind;
  }

  #layOut(): readonly Step[] {
    if (this.#row?.registered !== Handlers.#registered) {
      const steps: Step[] = [];
      this.#layInto(steps);
      this.#row = { steps, registered: Handlers.#registered };
    }
    return this.#row.steps;
  }

  #layInto(steps: Step[]): void {
    for (const { isFor, then } of this.#routes) {
      const filter = isFor && { isFor, otherwise: 0 };
      if (filter) steps.push(filter);
      if (then instanceof Handlers) then.#layInto(steps);
      else steps.push({ answer: then });
      if (filter) filter.otherwise = steps.length;
    }
  }
}

/** Goes along the row from there on to the first answer that is for this update. */
async function handle(
  steps: readonly Step[],
  ctx: BotContext,
  next: NextFunction,
  from: number,
): Promise<void> {
  let at = from;
  for (let step = steps[at]; step; step = steps[at]) {
    if ('isFor' in step) at = step.isFor(ctx) ? at + 1 : step.otherwise;
    else return void (await step.answer(ctx, goOnOnce(steps, ctx, next, at + 1)));
  }
  await next();
}

function goOnOnce(steps: readonly Step[], ctx: BotContext, next: NextFunction, from: number): NextFunction {
  let isCalled = false;
  return () => {
    if (isCalled) return Promise.reject(new Error('A handler called next() twice.'));
    isCalled = true;
    return handle(steps, ctx, next, from);
  };
}

function toThen(middleware: Middleware<BotContext>): Route['then'] {
  if (typeof middleware === 'function' || middleware instanceof Handlers) return middleware;
  return (ctx, next) => middleware.middleware()(ctx, next);
}
