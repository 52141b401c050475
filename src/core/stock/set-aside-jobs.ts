// Bulk work that could not go on and waits for a person, as long as it is kept: whose eyes it is for, sees it.
import type { JobKind, Store } from '../../store/index.ts';
import { grantOf, nameActor, type AccountActor, requirePermission } from '../context.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';

/** `subjectId`: the batch that was to be added or taken back, or the extraction. Times are ms UTC. */
export interface SetAsideJob {
  id: number;
  kind: JobKind;
  subjectId: number;
  /** How far it came, in codes. */
  done: number;
  total: number;
  at: number;
  setAsideAt: number;
  actorLabel: ActorLabel;
}

/** Oldest first; one's own alone for whoever may see no more. Throws CoreError FORBIDDEN. */
export type ListSetAsideJobs = (actor: AccountActor) => SetAsideJob[];

const MOST_LISTED = 200;

export function createListSetAsideJobs({ store }: { store: Store }): ListSetAsideJobs {
  return (actor) => {
    const isOwn = requirePermission(actor, 'undoImport') === 'own';
    const mayExtract = grantOf(actor, 'extractCodes') === 'yes';
    const { accountId } = actor;
    return store.read((tables) =>
      tables.jobs
        .listSetAside(accountId, MOST_LISTED)
        .filter((job) => !isOwn || job.actor === nameActor(actor))
        .filter(({ kind }) => kind !== 'extract' || mayExtract)
        .map(({ id, kind, subjectId, done, total, at, endedAt, actor: by }) => ({
          ...{ id, kind, subjectId, done, total, at, setAsideAt: endedAt ?? at },
          actorLabel: toActorLabel(tables, accountId, by),
        })),
    );
  };
}
