// What the page is told: happenings kept for whoever comes late, and the view of the service whenever it changed.
import type { HappeningView, PlayEvent, ServiceView } from './protocol.ts';

export interface Board {
  send(event: PlayEvent): void;
  /** Says how the service stands, from now on. */
  show(describing: () => ServiceView): void;
  service(): ServiceView;
  happenings(): HappeningView[];
  tell(happening: Omit<HappeningView, 'at'>): void;
  /** Sends the view of the service, if it is another than the one sent last. */
  changed(): void;
  /** Hears everything from now on; the answer ends it. */
  listen(listener: (event: PlayEvent) => void): () => void;
}

const KEPT_HAPPENINGS = 200;

/** An empty board. `now` dates the happenings. */
export function createBoard(now: () => number): Board {
  const listeners = new Set<(event: PlayEvent) => void>();
  const happenings: HappeningView[] = [];
  let describe: (() => ServiceView) | undefined;
  let lastSent = '';

  const send = (event: PlayEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    send,
    show: (describing) => void (describe = describing),
    service() {
      if (!describe) throw new Error('The service is not described yet.');
      return describe();
    },
    happenings: () => [...happenings],
    tell(told) {
      const happening = { at: now(), ...told };
      happenings.push(happening);
      if (happenings.length > KEPT_HAPPENINGS) happenings.shift();
      send({ kind: 'happening', happening });
    },
    changed() {
      if (!describe) return;
      const service = describe();
      const text = JSON.stringify(service);
      if (text === lastSent) return;
      lastSent = text;
      send({ kind: 'service', service });
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
