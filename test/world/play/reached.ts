// The service of a stage as a program beside it reaches it: by `fetch`, while time passes by itself until it stops.
import { openStage, type Stage, type StageOptions } from './stage.ts';

export interface Reached {
  stage: Stage;
  /** Of no host: whatever stands before the path is left out. */
  fetch(this: void, request: Request): Promise<Response>;
  stop(): Promise<void>;
}

const STEP_MS = 1_000;

export async function openReached(options: StageOptions = {}): Promise<Reached> {
  const stage = await openStage(options);
  let isOver = false;
  const passing = (async () => {
    while (!isOver) await stage.pass(STEP_MS);
  })();
  return {
    stage,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await stage.ask(pathname + search, request);
      // As Node's server adds it.
      answer.headers.set('date', new Date().toUTCString());
      return answer;
    },
    async stop() {
      isOver = true;
      await passing;
      await stage.stop();
    },
  };
}
