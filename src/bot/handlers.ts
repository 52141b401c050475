// What answers updates, tried in the order in which it was registered, as grammY's composer does it. That one pays for every
// handler which an update passes by: promises to ask its filter, promises to go on, a composer to hold the answer. Two hundred
// handlers wait here and most updates are for one of them, so filters are asked in a loop, and only what matches costs a promise.
import { Composer, type Middleware, type MiddlewareFn, type NextFunction } from 'grammy';

import type { BotContext } from './context.ts';

/** Asked once or more often for an update: it changes nothing but `ctx.match`. Never a promise. */
type Predicate = (ctx: BotContext) => boolean;

interface Route {
  /** undefined: every update. */
  isFor: Predicate | undefined;
  then: Handlers | MiddlewareFn<BotContext>;
}

/** A composer for many filters, of which few match; the same as grammY's in everything else. */
export class Handlers extends Composer<BotContext> {
  readonly #routes: Route[] = [];

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
    return (ctx, next) => this.#handle(ctx, next, 0);
  }

  /** What is registered behind the answer later comes after what is given now. */
  #add(isFor: Predicate | undefined, middleware: readonly Middleware<BotContext>[]): Handlers {
    const behind = new Handlers(...middleware);
    this.#routes.push({ isFor, then: behind });
    return behind;
  }

  /** The first route from there on that leads to a handler of this update; -1: none does. */
  #find(ctx: BotContext, from: number): number {
    for (let at = from; at < this.#routes.length; at += 1) {
      const route = this.#routes[at];
      if (!route || (route.isFor && !route.isFor(ctx))) continue;
      if (!(route.then instanceof Handlers) || route.then.#find(ctx, 0) !== -1) return at;
    }
    return -1;
  }

  async #handle(ctx: BotContext, next: NextFunction, from: number): Promise<void> {
    const at = this.#find(ctx, from);
    const route = this.#routes[at];
    if (!route) return await next();
    let isCalled = false;
    const goOn = async () => {
      if (isCalled) throw new Error('A handler called next() twice.');
      isCalled = true;
      await this.#handle(ctx, next, at + 1);
    };
    if (route.then instanceof Handlers) await route.then.#handle(ctx, goOn, 0);
    else await route.then(ctx, goOn);
  }
}

function toThen(middleware: Middleware<BotContext>): Route['then'] {
  if (typeof middleware === 'function' || middleware instanceof Handlers) return middleware;
  return (ctx, next) => middleware.middleware()(ctx, next);
}
