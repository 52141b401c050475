// The tour: its steps with their words, which moves the visitor made, by a button of the tour or by hand, and which steps
// really came true in the service.
import { raw } from 'hono/html';

import type { Button, SeenMessage } from '../test/telegram/types.ts';
import type { AccountNow } from './account.ts';
import { isPaid, labelOf, tap } from './message.ts';
import { findPersona, said, type ChatKey, type PersonKey, type Said } from './personas.ts';
import { does, fill, put, sets, type Raw, type View } from './view.ts';

/**
 * What is done next, as `words` say it, with what is pressed or written in *stars* and `%` for how that is called in the chat,
 * `named` being what it is called for as long as the bot has not said it. It is made when a note of what was done matches, and
 * `button` makes it.
 */
export interface Move {
  words: Said;
  made: RegExp;
  named?: Said;
  /** Whoever is this person has made it. */
  becomes?: PersonKey;
  /** Undefined while the bot has not answered. */
  button?: (view: View) => { label: string; called?: string; act: Raw } | undefined;
}

export interface Step {
  id: string;
  title: Said;
  why: Said;
  moves: Move[];
  seen: Said;
}

/** A player whose name the platform knows, and another, so that nobody is asked whether the same is meant twice. */
const PLAYER = '5170925571';
const OTHER_PLAYER = '5170925573';
/** No note is empty. */
const NEVER = /^$/;

const inChat = (chat: PersonKey, ...acts: Raw[]): Raw =>
  raw([sets({ as: chat, place: 'chat' }), ...acts].join(''));

const become = (chat: PersonKey): Move => ({
  words: said('Choose *%* at the top of the chat.', 'Выберите вверху чата: *%*.'),
  made: new RegExp(`^become ${chat}$`),
  becomes: chat,
  button({ t, language }) {
    const called = findPersona(chat).names[language];
    return { called, label: fill(t.become, called), act: inChat(chat) };
  },
});
/** Of `label`, and why it is copied. */
const copy = (key: string, label: Said, why: Said): Move => ({
  words: said(`Press *${label.en}* here: ${why.en}.`, `Нажмите здесь *${label.ru}*: ${why.ru}.`),
  made: new RegExp(`^copy ${key}$`),
  button: ({ language }) => ({ label: label[language], act: does('copy', { key }) }),
});
const paste = (chat: PersonKey, key: string, before: string, words: Said): Move => ({
  words,
  made: new RegExp(`^say ${chat} [^]*[A-Za-z0-9]{12}`),
  button: ({ play, t }) => ({
    label: t.paste,
    act: inChat(chat, put({ 'data-fill': before + play.copied(key) })),
  }),
});
const say = (chat: PersonKey, text: string): Move => ({
  words: said(
    `Write *${text}* into the message field and send it.`,
    `Напишите в поле сообщения *${text}* и отправьте.`,
  ),
  made: new RegExp(`^say ${chat} ${text}$`),
  button: ({ t }) => ({ label: t.writeForMe, act: inChat(chat, put({ 'data-fill': text })) }),
});
/** The button for which `is` holds, under what the bot has said since the person wrote. */
const press = (chat: PersonKey, is: (one: Button) => boolean, move: Omit<Move, 'button'>): Move => ({
  ...move,
  button(view) {
    const there = { ...view, chat, writer: chat };
    for (const message of view.play.messages(chat).reverse()) {
      if (!message.byBot) return undefined;
      const one = message.markup?.inline_keyboard?.flat().find(is);
      if (!one || (one.pay && isPaid(there, message.invoice!))) continue;
      const called = labelOf(there, one, message.invoice);
      return { called, label: fill(view.t.press, called), act: inChat(chat, tap(there, message, one)) };
    }
    return undefined;
  },
});
const pressUnder = (chat: PersonKey, data: RegExp, named: Said): Move =>
  press(chat, (one) => data.test(one.callback_data ?? ''), {
    words: said('Press *%* under the bot’s answer.', 'Нажмите *%* под ответом бота.'),
    made: new RegExp(`^press ${chat} ${data.source.slice(1)}`),
    named,
  });
const redeem = () => pressUnder('operator', /^order:[\w-]+:ok$/, said('Redeem', 'Активировать'));
const watch = (en: string, ru: string): Move => ({ words: said(en, ru), made: NEVER });
/** Made when the bot has said that a browser came in. */
const enter = (chat: PersonKey): Move => ({
  words: said(
    'Press *Open the console* above the chat, then Continue in the window that opens.',
    'Нажмите *Открыть консоль* над чатом, потом «Продолжить» в новом окне.',
  ),
  made: new RegExp(`^entered ${chat}$`),
  button: ({ t }) => ({ label: t.openConsole, act: inChat(chat, does('console', { as: chat, chat })) }),
});
/** With the newest receipt that support was shown, as which the move is called; `label` of its button. */
const withReceipt = (
  move: Omit<Move, 'button'>,
  called: (receipt: number, t: View['t']) => string,
  act: (receipt: number) => Raw,
  label = (_: View['t'], name: string) => name,
): Move => ({
  ...move,
  button({ play, t }) {
    const [receipt] = play.messages('support').reverse().flatMap(receiptsIn);
    if (receipt === undefined) return undefined;
    const name = called(receipt, t);
    return { called: name, label: label(t, name), act: act(receipt) };
  },
});

/** Each move is done by the button beside it, or by hand as its words say. */
export const STEPS: readonly Step[] = [
  {
    id: 'add',
    title: said('Fill the stock', 'Пополнить склад'),
    why: said(
      'The shop has bought five codes. Its admin pastes them into the chat, as the supplier sent them.',
      'Магазин купил пять кодов. Админ вставляет их в чат так, как прислал поставщик.',
    ),
    moves: [
      become('admin'),
      copy(
        'fresh-60',
        said('Copy five codes', 'Скопировать пять кодов'),
        said('they are fresh', 'они новые'),
      ),
      paste(
        'admin',
        'fresh-60',
        '',
        said(
          'Paste them into the message field and send them. No command is needed.',
          'Вставьте их в поле сообщения и отправьте. Команда не нужна.',
        ),
      ),
      pressUnder('admin', /^add-codes:/, said('Add 5 codes', 'Добавить 5 кодов')),
    ],
    seen: said(
      'Nothing was stored before you said so, and for an hour Undo takes it all back. A code pasted twice counts once.',
      'Пока вы не подтвердили, ничего не хранилось, и ещё час всё можно отменить. Код, вставленный дважды, считается один раз.',
    ),
  },
  {
    id: 'redeem',
    title: said('Redeem one', 'Активировать код'),
    why: said(
      'A customer has paid for 60 UC and sends a player ID. One message and one tap of the operator.',
      'Клиент оплатил 60 UC и прислал ID игрока. Оператору хватает одного сообщения и одного нажатия.',
    ),
    moves: [
      become('operator'),
      say('operator', `${PLAYER} 60`),
      redeem(),
      watch(
        'Watch the message become the receipt: about three seconds.',
        'Смотрите, как сообщение становится чеком: около трёх секунд.',
      ),
    ],
    seen: said(
      'Code reserved, activation charged, all of it on disk, and only then was the platform asked.',
      'Код зарезервирован, активация списана, всё это на диске, и только потом спросили платформу.',
    ),
  },
  {
    id: 'support',
    title: said('Find the receipt', 'Найти чек'),
    why: said(
      'The customer calls. Support has the player ID and nothing else.',
      'Клиент звонит. У поддержки есть только ID игрока.',
    ),
    moves: [
      become('support'),
      say('support', PLAYER),
      withReceipt(
        {
          made: /^say support \/receipt_/,
          named: said('/receipt_15', '/receipt_15'),
          words: said(
            'Press *%* in the bot’s answer: the newest comes first.',
            'Нажмите *%* в ответе бота: последний стоит первым.',
          ),
        },
        (receipt) => `/receipt_${receipt}`,
        (receipt) =>
          inChat('support', does('say', { as: 'support', chat: 'support', text: `/receipt_${receipt}` })),
        ({ press: words }, name) => fill(words, name),
      ),
    ],
    seen: said(
      'Login and password are covered until one presses them. Support may read receipts, and may not redeem.',
      'Логин и пароль закрыты, пока на них не нажмёшь. Поддержка читает чеки, но не активирует.',
    ),
  },
  {
    id: 'story',
    title: said('Read its story', 'Прочитать его историю'),
    why: said(
      'What happened to this code, and when? The console has a page for every receipt.',
      'Что стало с этим кодом и когда? В консоли у каждого чека есть страница.',
    ),
    moves: [
      enter('support'),
      withReceipt(
        {
          made: /^story$/,
          named: said('Story of receipt 15', 'История чека 15'),
          words: said('Press *%* here.', 'Нажмите *%* здесь.'),
        },
        (receipt, t) => fill(t.story, receipt),
        (receipt) => does('story', { receipt }),
      ),
    ],
    seen: said(
      'Each step as it reached the disk: who asked, which code, what the platform said. The link came from the bot’s /console: it opens once, for five minutes.',
      'Каждый шаг, как он дошёл до диска: кто просил, какой код, что ответила платформа. Ссылку прислал бот по /console: на один раз и пять минут.',
    ),
  },
  {
    id: 'settle',
    title: said('Lose an answer', 'Потерять ответ'),
    why: said(
      'The platform redeems, and its answer never arrives. Was the code spent or not? Nobody knows, and nobody guesses.',
      'Платформа активирует код, а её ответ не доходит. Потрачен код или нет? Никто не знает, и никто не гадает.',
    ),
    moves: [
      become('operator'),
      copy(
        'TIMEOUT',
        said('Copy the code', 'Скопировать код'),
        said('with this one the platform does so', 'с ним платформа так и поступит'),
      ),
      paste(
        'operator',
        'TIMEOUT',
        `/redeem ${OTHER_PLAYER} `,
        said(
          `Write */redeem ${OTHER_PLAYER}*, a space, then paste the code and send it.`,
          `Напишите */redeem ${OTHER_PLAYER}*, пробел, потом вставьте код и отправьте.`,
        ),
      ),
      redeem(),
      watch(
        'Watch only: in doubt after six seconds, settled soon after.',
        'Только смотрите: через шесть секунд под вопросом, вскоре всё ясно.',
      ),
    ],
    seen: said(
      'In doubt is a state of its own. The code was held, the platform was asked again, and the receipt came by itself. What was only in the lost answer, the login, is missing, and it says what to do.',
      '«Под вопросом» — отдельное состояние. Код был удержан, платформу спросили ещё раз, и чек пришёл сам. Логина, который был только в потерянном ответе, в нём нет, и он говорит, что делать.',
    ),
  },
  {
    id: 'buy',
    title: said('Buy activations', 'Купить активации'),
    why: said(
      '300 redemptions a day are in the subscription. The owner buys a thousand more, with play money.',
      'В подписке 300 активаций в день. Владелец покупает ещё тысячу за игрушечные деньги.',
    ),
    moves: [
      become('owner'),
      say('owner', '/buy_activations 1'),
      press('owner', ({ pay }) => pay === true, {
        words: said('Press *%* under the invoice.', 'Нажмите *%* под счётом.'),
        made: /^pay owner$/,
        named: said('Pay', 'Оплатить'),
      }),
    ],
    seen: said(
      'Credited exactly once, by the number of the charge, whatever Telegram repeats.',
      'Зачислено ровно один раз, по номеру платежа, что бы Telegram ни повторил.',
    ),
  },
  {
    id: 'console',
    title: said('Sit down at the desk', 'Сесть за стол'),
    why: said(
      'The admin’s console has more: what needs a person, the stock, the people, and who did what.',
      'В консоли админа есть больше: что ждёт человека, склад, люди и кто что сделал.',
    ),
    moves: [become('admin'), enter('admin')],
    seen: said(
      'The bot has said at once which browser came in, with a button that ends it. Each list there is a URL and a CSV.',
      'Бот сразу сказал, какой браузер вошёл, и дал кнопку, чтобы завершить сеанс. Каждый список там — ссылка и CSV.',
    ),
  },
  {
    id: 'kill',
    title: said('Kill it in the middle', 'Убить посреди дела'),
    why: said(
      'The hardest moment to die: a redemption is with the platform, and the process is gone.',
      'Хуже всего умереть сейчас: активация уже у платформы, а процесса больше нет.',
    ),
    moves: [
      become('operator'),
      say('operator', `${OTHER_PLAYER} 325`),
      redeem(),
      {
        words: said(
          'Press *Kill the process* here within three seconds. Later is fine, too.',
          'Не позже чем через три секунды нажмите здесь *Убить процесс*. Позже тоже можно.',
        ),
        made: /^kill$/,
        button: ({ t }) => ({ label: t.kill, act: does('kill') }),
      },
      watch(
        'Watch it come back and finish what it had begun.',
        'Смотрите, как он вернётся и закончит начатое.',
      ),
    ],
    seen: said(
      'Killed with SIGKILL, started again, and the receipt is there: no code lost, none spent twice. A login that the dead process was about to hear is missing, and the receipt says what to do.',
      'Убит сигналом SIGKILL, запущен снова, и чек на месте: ни один код не потерян и не потрачен дважды. Логина, которого процесс не успел услышать, нет, и чек говорит, что делать.',
    ),
  },
];

/** The numbers of the receipts that a message of the bot names, in their order. */
function receiptsIn({ byBot, html }: SeenMessage): number[] {
  if (!byBot) return [];
  return [...new Set([...html.matchAll(/\/receipt_(\d+)/g)].map(([, number]) => Number(number)))];
}

/** The progress: `note` hears what the visitor does, `lookAt…` what happens. */
export function createTour() {
  const done = new Set<string>();
  const doubted = new Set<number>();
  let notes: string[] = [];
  let at = 0;
  let died = false;
  let before: ReturnType<typeof countsOf> | undefined;

  return {
    done: (id: string) => done.has(id),
    count: () => done.size,
    /** The number of the step that is open; that of all steps at the end. */
    at: () => at,
    note(what: string) {
      notes.push(what);
      if (what === 'story') done.add('story');
    },
    /** Opens a step; before the first all of it begins anew. */
    go(next: number) {
      if (next < 0) done.clear();
      at = Math.max(0, Math.min(next, STEPS.length));
      notes = [];
    },
    /** How many moves of the step that is open are made, in their order; whoever is the right person has become it. */
    made(open: ChatKey): number {
      const { id, moves } = STEPS[at]!;
      if (done.has(id)) return moves.length;
      let next = 0;
      const unmade = moves.findIndex((move) => {
        const found = notes.findIndex((note, place) => place >= next && move.made.test(note));
        if (found >= 0) next = found + 1;
        return found < 0 && move.becomes !== open;
      });
      return unmade < 0 ? moves.length : unmade;
    },
    lookAtMessage(chat: ChatKey, message: SeenMessage) {
      if (message.byBot && message.buttons.some((one) => one.callback_data?.startsWith('console:end:'))) {
        this.note(`entered ${chat}`);
        // With support's one looks into a receipt.
        if (chat !== 'support') done.add('console');
      }
      const [receipt] = receiptsIn(message);
      if (receipt === undefined || !message.html.includes('<tg-spoiler>')) return;
      if (chat === 'support') done.add('support');
      else if (message.html.startsWith('❔')) doubted.add(receipt);
      else if (message.html.startsWith('✅')) done.add(doubted.has(receipt) ? 'settle' : 'redeem');
    },
    // While the process is away its figures say nothing.
    lookAtAccount(state: string, account: AccountNow) {
      if (state !== 'running') {
        died = before !== undefined;
        return;
      }
      const now = countsOf(account);
      if (before && now.stock > before.stock) done.add('add');
      if (before && now.purchased > before.purchased) done.add('buy');
      if (died && now.open === 0) done.add('kill');
      before = now;
    },
  };
}

function countsOf({ stock, quota }: AccountNow) {
  const sum = (of: (one: AccountNow['stock'][number]) => number) =>
    stock.reduce((all, one) => all + of(one), 0);
  return {
    stock: sum(({ available, reserved, inDoubt }) => available + reserved + inDoubt),
    open: sum(({ reserved, inDoubt }) => reserved + inDoubt),
    purchased: quota.purchased,
  };
}
