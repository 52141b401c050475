// Bulk work that was set aside: what it was, how far it came, and what a person does about it. Kept for two days.
import { html } from 'hono/html';

import type { SetAsideJob } from '../../core/index.ts';
import { BASE, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { labelPerson } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';

export const jobsScreen: Screen = {
  name: 'jobs',
  routes: [{ method: 'GET', path: '/jobs', needs: 'undoImport', run: show }],
};

function show(context: ScreenContext): Html {
  const { t, core } = context;
  const body = table({
    caption: t('jobs-title'),
    rows: core.listSetAsideJobs(memberOf(context)),
    empty: t('jobs-none'),
    columns: [
      { header: t('jobs-what'), cell: (job) => nameJob(context, job) },
      {
        header: t('jobs-done'),
        kind: 'number',
        cell: ({ done, total }) => t('jobs-done-of', { done, total }),
      },
      { header: t('jobs-since'), cell: ({ setAsideAt }) => relativeTime(context, setAsideAt) },
      {
        header: t('jobs-by'),
        hidden: 'narrow',
        cell: ({ actorLabel }) => labelPerson(context, actorLabel),
      },
      { header: t('today-next'), cell: ({ kind }) => t(`jobs-${kind}-next`) },
    ],
  });
  return page(context, { title: t('jobs-title'), current: 'batches', body });
}

/** Of a batch, the way to it. */
function nameJob({ t }: ScreenContext, { kind, subjectId }: SetAsideJob): Html | string {
  const name = t(`jobs-${kind}`, { id: String(subjectId) });
  return kind === 'extract' ? name : html`<a href="${BASE}/batches/${subjectId}">${name}</a>`;
}
