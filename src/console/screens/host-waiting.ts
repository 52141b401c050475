// What waits for the host, line by line: doubts of all accounts, those that a person has to decide first, and updates
// that interrupted the service.
import { hostIn, type Html, type ScreenContext } from '../context.ts';
import { badge } from '../parts/badge.ts';
import { labelAmount } from '../parts/labels.ts';
import { table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

/** Decided in the bot, where the evidence is. */
export function doubtsTable(context: ScreenContext): Html {
  const { core, t } = context;
  return table({
    caption: t('host-doubts'),
    rows: core.doubts.listAll(hostIn(context)),
    empty: badge('good', t('host-no-doubts')),
    columns: [
      { header: t('host-receipt'), cell: ({ id }) => id },
      { header: t('host-account'), cell: ({ accountName }) => accountName },
      { header: t('host-player'), hidden: 'narrow', cell: ({ playerId }) => playerId },
      {
        header: t('host-amount'),
        kind: 'number',
        cell: ({ gameId, denomination }) => labelAmount(context, gameId, denomination),
      },
      { header: t('host-since'), cell: ({ createdAt }) => relativeTime(context, createdAt) },
      { header: t('host-looks'), kind: 'number', hidden: 'narrow', cell: ({ looks }) => looks },
      {
        header: t('host-state'),
        cell: ({ isHeld }) => (isHeld ? badge('bad', t('host-is-held')) : badge('doubt', t('host-is-asked'))),
      },
    ],
  });
}

export function updatesTable(context: ScreenContext): Html {
  const { core, t } = context;
  return table({
    caption: t('host-set-aside'),
    rows: core.health.listSetAside(),
    empty: badge('good', t('host-no-alerts')),
    columns: [
      { header: t('host-update'), cell: ({ updateId }) => updateId },
      { header: t('host-since'), cell: ({ receivedAt }) => absoluteTime(context, receivedAt) },
    ],
  });
}
