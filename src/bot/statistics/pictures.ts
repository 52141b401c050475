// Pictures, drawn by a process that is started at the first one and ends when nobody wanted another for a minute: what
// draws is large and needed seldom, and neither its memory nor its time may be the service's.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface PictureCounts {
  redeemed: number;
  failed: number;
  /** Under way, or in doubt. */
  open: number;
}

export interface PictureDay extends PictureCounts {
  /** `22` */
  day: string;
  /** `Nov` */
  month: string;
  /** 0 is Monday. */
  weekday: number;
  /** `Mon` */
  weekdayLabel: string;
  /** Before the shop was opened: there is nothing to say. */
  isBefore: boolean;
}

export interface PictureAmount extends PictureCounts {
  /** `60 UC` */
  label: string;
}

/** What the picture of /stats shows; labels and words are ready to be drawn. */
export interface StatisticsPicture {
  words: {
    shop: string;
    range: string;
    byDay: string;
    byWeek: string;
    byAmount: string;
    redeemed: string;
    failed: string;
    open: string;
    /** From Monday on. */
    weekdays: readonly string[];
  };
  total: PictureCounts;
  /** Oldest first. */
  days: readonly PictureDay[];
  /** Of many days; oldest first. */
  weeks: readonly PictureAmount[];
  /** A few. */
  amounts: readonly PictureAmount[];
}

/** A part of the picture as SVG, and where it ends. */
export interface Drawn {
  svg: string;
  bottom: number;
}

export interface Pictures {
  /** A PNG. One at a time; rejects when drawing fails or takes longer than ten seconds. */
  drawStatistics(picture: StatisticsPicture): Promise<Buffer>;
  /** Ends the process that draws. */
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./render-picture.ts', import.meta.url));
const TIMEOUT_MS = 10_000;
const IDLE_MS = 60_000;

export function createPictures(): Pictures {
  let drawer: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    drawer?.kill();
    drawer = undefined;
  }

  async function draw(picture: StatisticsPicture): Promise<Buffer> {
    clearTimeout(idle);
    if (drawer?.connected !== true) drawer = startDrawer();
    try {
      return await ask(drawer, picture);
    } catch (error) {
      end();
      throw error;
    } finally {
      idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  return {
    drawStatistics(picture) {
      const drawn = last.then(() => draw(picture));
      last = drawn.catch(() => undefined);
      return drawn;
    },
    async stop() {
      await last;
      clearTimeout(idle);
      end();
    },
  };
}

/** Nothing of the environment reaches it: it only draws. It ends by itself when this process does. */
function startDrawer(): ChildProcess {
  const drawer = fork(PROGRAM, [], { env: {}, execArgv: [], serialization: 'advanced', stdio: 'ignore' });
  // Without a listener an error of the idle process would end this one.
  drawer.on('error', () => undefined);
  return drawer;
}

/** Listens only while it asks; the process that draws keeps this one not alive meanwhile. */
function ask(drawer: ChildProcess, picture: StatisticsPicture): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timeout);
      drawer.off('message', onMessage).off('error', onError).off('exit', onExit);
      drawer.unref();
      drawer.channel?.unref();
      settle();
    };
    const onMessage = (png: unknown) =>
      finish(() =>
        png instanceof Uint8Array ? resolve(Buffer.from(png)) : reject(failure('No picture came.')),
      );
    const onError = (cause: unknown) => finish(() => reject(failure('It could not be asked.', cause)));
    const onExit = () => finish(() => reject(failure('It ended before it had drawn.')));
    const timeout = setTimeout(() => finish(() => reject(failure('It took too long.'))), TIMEOUT_MS);
    drawer.ref();
    drawer.channel?.ref();
    drawer.on('message', onMessage).on('error', onError).on('exit', onExit);
    drawer.send(picture, (error) => error && onError(error));
  });
}

function failure(reason: string, cause?: unknown): Error {
  return new Error(`The picture could not be drawn. ${reason}`, { cause });
}
