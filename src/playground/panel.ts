// What the page is told: events kept for whoever comes late, and the view of the service whenever it changed.
import type { EventView, PlayEvent, ServiceView } from './protocol.ts';

export interface Panel {
  send(event: PlayEvent): void;
  /** Says how the service stands, from now on. */
  show(describing: () => ServiceView): void;
  service(): ServiceView;
  events(): EventView[];
  addEvent(event: Omit<EventView, 'at'>): void;
  /** Sends the view of the service, if it is another than the one sent last. */
  changed(): void;
  /** Hears everything from now on; the answer ends it. */
  listen(listener: (event: PlayEvent) => void): () => void;
}

const KEPT_EVENTS = 200;

/** An empty panel. `now` dates the events. */
export function createPanel(now: () => number): Panel {
  const listeners = new Set<(event: PlayEvent) => void>();
  const events: EventView[] = [];
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
    events: () => [...events],
    addEvent(told) {
      const event = { at: now(), ...told };
      events.push(event);
      if (events.length > KEPT_EVENTS) events.shift();
      send({ kind: 'event', event });
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
