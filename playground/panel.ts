// What the page is told, and the view of the service whenever it changed.
import type { PlayEvent, ServiceView } from './protocol.ts';

export interface Panel {
  send(event: PlayEvent): void;
  /** Says how the service stands, from now on. */
  show(describing: () => ServiceView): void;
  service(): ServiceView;
  /** Sends the view of the service, if it is another than the one sent last. */
  changed(): void;
  /** Hears everything from now on; the answer ends it. */
  listen(listener: (event: PlayEvent) => void): () => void;
}

/** An empty panel. */
export function createPanel(): Panel {
  const listeners = new Set<(event: PlayEvent) => void>();
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
