// The line to the playground's server: events in, actions out. Shapes are those of protocol.ts.

/** Calls `onEvent` with each Snapshot and PlayEvent, `onLine(up)` when the line comes or goes; reconnects by itself. */
export function listen(onEvent, onLine) {
  const source = new EventSource('/play/events');
  source.onopen = () => onLine(true);
  source.onerror = () => {
    onLine(false);
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => listen(onEvent, onLine), 2000);
  };
  source.onmessage = (event) => onEvent(JSON.parse(event.data));
}

/** Sends an action. What goes wrong on the way is an answer too: `{ ok: false }`, without an error where nothing answered. */
export async function act(body) {
  try {
    const response = await fetch('/play/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { ok: false };
  }
}
