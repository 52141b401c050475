// The page's server: the page, what makes it come again, and what the visitor does as one of the people.
// It answers to this machine alone: a page of another site cannot reach it, under whatever name it found the address.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { serve, type ServerType } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';

import { asset, styles } from '../src/files.ts';
import { pause } from '../src/waiting.ts';
import { pageView } from './page.ts';
import { CHATS, PERSONAS } from './personas.ts';
import type { Playground } from './playground.ts';
import { fill, readView } from './view.ts';
import { wordsIn } from './words.ts';

/** What the page does after an action: says something, puts a text on the clipboard, opens a window. */
interface Answer {
  toast?: string | undefined;
  copy?: string | undefined;
  url?: string | undefined;
}

const read = (path: string) => readFileSync(asset(path), 'utf8');
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
const LARGEST_BODY_BYTES = 21 * 1024 * 1024;
const STILL_THERE_EVERY_MS = 15_000;
const LINK_WITHIN_MS = 15_000;
/** Scripts, styles and pictures of its own alone, and nothing from another host. */
const HEADERS = {
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
const FILES = {
  '/page.css': [styles('playground/page.css'), 'text/css; charset=utf-8'],
  '/page.js': [read('playground/page.js'), 'text/javascript; charset=utf-8'],
  '/icon.svg': [read('src/console/assets/icon.svg'), 'image/svg+xml'],
} as const;

/** Serves one playground on loopback at `port`, or at a free one, and tells its address. */
export async function servePage(play: Playground, port: number): Promise<string> {
  const server = await listen(createPage(play), port);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const listen = (app: Hono, port: number): Promise<ServerType> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve(server));
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' && port !== 0 ? resolve(listen(app, 0)) : reject(error),
    );
  });

function createPage(play: Playground): Hono {
  const app = new Hono();
  let isChosen = false;
  app.use(async (c, next) => {
    const { host = '', origin = `http://${host}`, 'sec-fetch-site': site } = c.req.header();
    if (!LOOPBACK.test(host) || origin !== `http://${host}` || site === 'cross-site')
      return c.json({ toast: 'The playground answers to this machine alone.' }, 403);
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  });
  app.get('/', async (c) => {
    // The first browser's language is everybody's.
    const browsers = /^ru/i.test(c.req.header('accept-language') ?? '') ? 'ru' : 'en';
    if (!isChosen && c.req.header('accept-language') && browsers !== play.language())
      await play.speak(browsers);
    isChosen = true;
    const view = readView(play, c.req.query());
    play.see(view.chat);
    return c.html(pageView(view));
  });
  for (const [path, [body, type]] of Object.entries(FILES))
    app.get(path, (c) => c.body(body, 200, { 'content-type': type }));
  app.get('/events', (c) => streamChanges(play, c));
  app.get('/files/:id', (c) => sendFile(play, c));
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY_BYTES,
      onError: (c) => c.json({ toast: 'The file is too large.' }, 413),
    }),
  );
  for (const [name, act] of Object.entries(ACTS)) {
    app.post(`/${name}`, async (c) => c.json((await act(play, c)) ?? {}));
  }
  app.notFound((c) => c.json({ toast: 'There is nothing here.' }, 404));
  app.onError((error, c) => c.json({ toast: error.message }, 500));
  return app;
}

/** What the visitor does: in a chat as one of the people through the stand-in for Telegram, or to the process. */
const ACTS: Record<string, (play: Playground, c: Context) => Answer | void | Promise<Answer | void>> = {
  become(play, c) {
    play.note(`become ${c.req.query('as')}`);
  },
  async say(play, c) {
    const { user, chat, key } = where(play, c);
    const { text = c.req.query('text') ?? '', file } = await c.req.parseBody();
    const said = typeof text === 'string' ? text.trim() : '';
    if (file instanceof File && file.size > 0) {
      const bytes = Buffer.from(await file.arrayBuffer());
      play.api.send(user, chat, { document: { name: file.name, bytes, ...(said ? { caption: said } : {}) } });
    } else if (said) play.api.sendLong(user, chat, said);
    play.note(`say ${key} ${said}`);
  },
  async press(play, c) {
    const { user, key } = where(play, c);
    const t = wordsIn(play.language());
    const data = c.req.query('data') ?? '';
    play.note(`press ${key} ${data}`);
    const answer = await play.api.press(user, findMessage(play, c), { data });
    if (!answer) return { toast: t.noAnswer };
    const { text: toast, url } = answer;
    if (!url?.startsWith('https://t.me/')) return { toast, url };
    play.api.open(user, url);
    return { toast };
  },
  async pay(play, c) {
    const { user, key } = where(play, c);
    const paid = await play.api.pay(user, findMessage(play, c));
    if (!paid.ok && 'error' in paid) return { toast: paid.error };
    play.note(`pay ${key}`);
  },
  open(play, c) {
    const link = c.req.query('link') ?? '';
    if (link.includes('?start=')) play.api.open(where(play, c).user, link);
  },
  /** As the person would: by asking the bot for the link. */
  async console(play, c) {
    const { user, chat, key } = where(play, c);
    const { message } = play.api.send(user, chat, '/console');
    const answered = () => play.messages(key).find(({ byBot, id }) => byBot && id > message.id);
    const { text } = await play.api.waitFor(answered, LINK_WITHIN_MS, 'an answer of the bot');
    const url = /http:\S+\/enter\/[\w-]+/.exec(text)?.[0];
    return url === undefined ? { toast: wordsIn(play.language()).noConsole } : { url };
  },
  /** A receipt's page in the console, for whoever has entered it. */
  story(play, c) {
    play.note('story');
    return { url: `${play.url}/console/receipts/${Number(c.req.query('receipt'))}` };
  },
  copy(play, c) {
    const key = c.req.query('key') ?? '';
    const { about, count = 0 } = play.samples.find((one) => one.key === key) ?? {};
    const t = wordsIn(play.language());
    play.note(`copy ${key}`);
    return { copy: play.copy(key), toast: about ? t.copied : fill(t.copiedCodes, count) };
  },
  tour(play, c) {
    play.tour.go(Number(c.req.query('step')));
  },
  language: (play, c) => play.speak(c.req.query('language') === 'ru' ? 'ru' : 'en'),
  async kill(play) {
    play.note('kill');
    await play.service.killAndStart();
  },
};

function where(play: Playground, c: Context) {
  const person = PERSONAS.find(({ key }) => key === c.req.query('as'))?.key;
  const key = CHATS.find((one) => one === c.req.query('chat'));
  if (person === undefined || key === undefined) throw new Error('There is no such person or chat.');
  return { key, user: play.personas.user(person), chat: play.personas.chat(key) };
}

function findMessage(play: Playground, c: Context) {
  const id = Number(c.req.query('message'));
  const found = play.messages(where(play, c).key).find((one) => one.id === id);
  if (!found) throw new Error(wordsIn(play.language()).gone);
  return found;
}

/** A line whenever the page is another. */
const streamChanges = (play: Playground, c: Context) =>
  streamSSE(c, async (stream) => {
    const end = play.listen(() => void stream.writeSSE({ data: '' }));
    stream.onAbort(end);
    while (!stream.aborted) {
      await stream.write(': still there\n\n');
      await pause(STILL_THERE_EVERY_MS);
    }
  });

/** Pictures are shown; everything else is downloaded, so that nothing that was attached runs in the page. */
function sendFile(play: Playground, c: Context) {
  const all = CHATS.flatMap((chat) => play.messages(chat));
  const is = (file?: { fileId: string }) => file?.fileId === c.req.param('id');
  const photo = all.find((one) => is(one.photo))?.photo;
  const file = photo ?? all.find((one) => is(one.document))?.document;
  if (!file) return c.notFound();
  const picture = file.bytes.subarray(1, 4).toString('latin1') === 'PNG' ? 'image/png' : 'image/jpeg';
  return c.body(new Uint8Array(file.bytes), 200, {
    'content-type': photo ? picture : 'application/octet-stream',
    'content-disposition': photo ? 'inline' : `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
}
