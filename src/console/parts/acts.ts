// What a form does, as a row: what it is done to, what is asked before, what the core does, and where its answer leads.
// And the page of what is shown once.
import { html } from 'hono/html';

import { ConsoleProblem, goTo, type Html, type Needs, type Route, type ScreenContext } from '../context.ts';
import { form, hidden } from './form.ts';
import { linkButton } from './labels.ts';
import { page } from './page.ts';

type Answer = Html | Response;
type Maybe<Value> = Value | undefined | Promise<Value | undefined>;

/** What is asked before what cannot be taken back. */
export interface ActQuestion {
  text: string;
  /** Names the deed. */
  label: string;
  /** Where nothing is done, below /console. */
  back: string;
  /** Beside those of the form that asked, or in their place. */
  fields?: Record<string, string | number>;
  /** What is chosen along with it. */
  more?: Html | undefined;
}

export interface Act<Found> {
  fresh?: true;
  /** What it is done to: 404 where there is none. */
  find?: (context: ScreenContext) => Maybe<Found>;
  /** The same form is sent again with its answer. */
  ask?: (context: ScreenContext, found: Found) => Maybe<ActQuestion>;
  /** The page with its form, which comes again where it is refused. */
  form?: Route['form'];
  /** A page of its own, or the core's answer, whose `status` may be a refusal. */
  run: (context: ScreenContext, found: Found) => unknown;
  /** Refusals of this act alone, by that status. */
  refused?: Record<string, readonly [status: ConsoleProblem['status'], key: string]>;
  /** Where one reads what was done: `said-<said>` of the locales. */
  to?: string | ((found: Found) => string);
  said?: string;
}

/** Refusals that mean the same wherever they are answered. */
const REFUSED: NonNullable<Act<never>['refused']> = {
  ...{ notFound: [404, 'not-found'], notMember: [404, 'not-found'] },
  ...{
    changedMeanwhile: [409, 'meanwhile'],
    alreadyRevoked: [409, 'meanwhile'],
    notStopped: [409, 'meanwhile'],
  },
};

export const get = (path: string, needs: Needs, run: Route['run']): Route => ({
  method: 'GET',
  path,
  needs,
  run,
});

export const act = <Found = undefined>(path: string, needs: Needs, row: Act<Found>): Route => ({
  ...{ method: 'POST', path, needs, fresh: row.fresh, form: row.form },
  async run(context) {
    const found = (await row.find?.(context)) as Found;
    if (row.find && found === undefined) throw new ConsoleProblem(404, 'not-found');
    const question = context.field('sure') === 'yes' ? undefined : await row.ask?.(context, found);
    if (question) return confirmation(context, question);
    const answer = await row.run(context, found);
    if (isAnswer(answer)) return answer;
    const { status = '' } = (answer ?? {}) as { status?: string };
    const refused = row.refused?.[status] ?? REFUSED[status];
    if (refused) throw new ConsoleProblem(...refused);
    const { to = '/' } = row;
    return goTo(context, typeof to === 'string' ? to : to(found), row.said);
  },
});

const isAnswer = (answer: unknown): answer is Answer =>
  answer instanceof Response || (typeof answer === 'object' && answer !== null && 'isEscaped' in answer);

/** Its button sends the form that led here once more, with `sure=yes`. */
export function confirmation(context: ScreenContext, { text, label, back, fields, more }: ActQuestion): Html {
  const body = form(
    context.path,
    html`${hidden({ ...context.fields, ...fields, sure: 'yes' })}
      <p>${text}</p>
      ${more}
      <div class="acts">
        <button class="danger">${label}</button>
        ${linkButton(back, context.t('cancel'))}
      </div>`,
  );
  return page(context, { title: label, body });
}

/** A key, a secret, a link: shown here and never again. */
export function secretPage(
  context: ScreenContext,
  { title, text, secret, back }: { title: string; text: string; secret: string; back: string },
): Html {
  const body = html`<p>${text}</p>
    <label class="field wide">
      <span>${context.t('shown-once')}</span>
      <input class="secret" readonly value="${secret}" />
    </label>
    <p>${linkButton(back, context.t('done'))}</p>`;
  return page(context, { title, body });
}
