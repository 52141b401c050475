// What waits for the host, line by line: doubts of all accounts, those that a person has to decide first, and updates
// that interrupted the service.
import { hostIn, type Html, type ScreenContext } from '../context.ts';
import { badge } from '../parts/badge.ts';
import { labelAmount } from '../parts/labels.ts';
import { table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';

/** Decided in the bot, where the evidence is. */
export function doubtsTable(context: ScreenContext): Html {
  const { core, word } = context;
  return table({
    caption: word('host-doubts'),
    rows: core.doubts.listAll(hostIn(context)),
    empty: badge('good', word('host-no-doubts')),
    columns: [
      { header: word('host-receipt'), cell: ({ id }) => id },
      { header: word('host-account'), cell: ({ accountName }) => accountName },
      { header: word('host-player'), hidden: 'narrow', cell: ({ playerId }) => playerId },
      {
        header: word('host-amount'),
        kind: 'number',
        cell: ({ gameId, denomination }) => labelAmount(context, gameId, denomination),
      },
      { header: word('host-since'), cell: ({ createdAt }) => relativeTime(context, createdAt) },
      { header: word('host-looks'), kind: 'number', hidden: 'narrow', cell: ({ looks }) => looks },
      {
        header: word('host-state'),
        cell: ({ isHeld }) =>
          isHeld ? badge('bad', word('host-is-held')) : badge('doubt', word('host-is-asked')),
      },
    ],
  });
}

export function updatesTable(context: ScreenContext): Html {
  const { core, word } = context;
  return table({
    caption: word('host-set-aside'),
    rows: core.health.listSetAside(),
    empty: badge('good', word('host-no-alerts')),
    columns: [
      { header: word('host-update'), cell: ({ updateId }) => updateId },
      { header: word('host-since'), cell: ({ receivedAt }) => absoluteTime(context, receivedAt) },
    ],
  });
}
