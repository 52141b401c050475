// What the page says, in English and in Russian; those of the tour stand with its steps. `%` is filled in where it is said.
import type { PageLanguage } from './personas.ts';

const WORDS = {
  other: ['Русский', 'English'],
  what: [
    'With this Telegram bot a shop redeems prepaid game codes for its customers, and no code is ever spent twice or lost.',
    'Этим ботом в Telegram магазин активирует игровые коды своим клиентам, и ни один код не тратится дважды и не теряется.',
  ],
  whatHere: [
    'Try it here: everything runs on this machine, nothing is real money.',
    'Попробуйте: всё работает на этом компьютере, деньги игрушечные.',
  ],
  lost: ['The playground does not answer. Trying again…', 'Стенд не отвечает. Пробую ещё раз…'],
  tour: ['Tour', 'Тур'],
  chat: ['Chat', 'Чат'],
  account: ['Account', 'Аккаунт'],
  accountSide: ['The account, and codes to paste', 'Аккаунт и коды, чтобы вставить'],
  places: ['Parts of the page', 'Части страницы'],

  peopleLabel: ['Whom to be', 'Кем быть'],
  groupAbout: [
    'A group with everybody and the bot: it answers little there, and no secrets.',
    'Группа со всеми и с ботом: там он отвечает на немногое и без секретов.',
  ],
  owner: ['Whose account it is: may do everything.', 'Чей это аккаунт: может всё.'],
  admin: [
    'Adds codes, buys activations, invites people.',
    'Добавляет коды, покупает активации, приглашает людей.',
  ],
  operator: ['Redeems for customers all day.', 'Весь день активирует коды для клиентов.'],
  support: ['Pulls receipts while a customer is waiting.', 'Находит чек, пока клиент ждёт.'],
  ownAccount: [
    'Has an account of their own now, apart from the shop’s, and may do everything there.',
    'Теперь у него свой аккаунт, отдельно от аккаунта магазина, и там он может всё.',
  ],
  nobody: [
    'Is in no account now: an invitation leads back.',
    'Сейчас ни в одном аккаунте: вернуться можно по приглашению.',
  ],
  stranger: [
    'Has never written to the bot: press Start and see.',
    'Ещё не писал боту: нажмите «Начать» и посмотрите.',
  ],
  host: [
    'Runs the service for all accounts: /accounts, /grant, /health.',
    'Отвечает за сервис и все аккаунты: /accounts, /grant, /health.',
  ],
  youAre: ['You are: %', 'Вы: %'],
  openConsole: ['Open the console', 'Открыть консоль'],
  noConsole: [
    'The bot sends this person no link into the console.',
    'Ссылку в консоль бот этому человеку не присылает.',
  ],
  unread: ['unread', 'непрочитано'],

  messages: ['Messages', 'Сообщения'],
  bot: ['Bot', 'Бот'],
  you: ['You', 'Вы'],
  start: ['Start', 'Начать'],
  groupHint: [
    'Only a few commands answer in a group, /stock and /quota for instance; the rest is private.',
    'В группе бот отвечает на несколько команд, например /stock и /quota; остальное — в личном чате.',
  ],
  edited: ['edited', 'изменено'],
  covered: ['Hidden text, press to show', 'Скрытый текст, нажмите, чтобы показать'],
  picture: ['Picture', 'Картинка'],
  download: ['Download', 'Скачать'],
  invoice: ['Invoice', 'Счёт'],
  paid: ['Paid', 'Оплачено'],
  payFor: ['Pay %', 'Оплатить %'],
  moneyPaid: ['Paid: %', 'Оплачено: %'],
  moneyBack: ['Sent back: %', 'Возвращено: %'],
  gone: ['This button is not there any more.', 'Этой кнопки уже нет.'],
  noAnswer: [
    'The bot did not answer the tap. Is the service running?',
    'Бот не ответил на нажатие. Сервис работает?',
  ],
  typing: ['The bot is typing', 'Бот печатает'],

  write: ['Write a message', 'Написать сообщение'],
  message: ['Message', 'Сообщение'],
  placeholder: ['Message or /', 'Сообщение или /'],
  commands: ['Commands', 'Команды'],
  attach: ['Attach a file', 'Приложить файл'],
  send: ['Send', 'Отправить'],

  copy: ['Copy', 'Скопировать'],
  copied: ['Copied', 'Скопировано'],
  copiedCodes: ['Fresh codes copied: %', 'Скопировано новых кодов: %'],

  samplesTitle: ['Codes to paste', 'Коды, чтобы вставить'],
  samplesAbout: [
    'Other ones after every press; worth nothing outside this machine.',
    'После каждого нажатия — другие; вне этого компьютера ничего не стоят.',
  ],

  serviceTitle: ['The account now', 'Аккаунт сейчас'],
  running: ['Process running', 'Процесс жив'],
  starting: ['Process starting…', 'Процесс запускается…'],
  down: ['Process down', 'Процесса нет'],
  kill: ['Kill the process', 'Убить процесс'],
  killAbout: [
    'It is started again at once. Nothing pasted, asked or redeemed is lost, whenever it dies.',
    'Он сразу запускается снова. Вставленное, запрошенное, активированное не теряется, когда бы он ни умер.',
  ],
  codes: ['Codes', 'Коды'],
  available: ['In stock', 'На складе'],
  reserved: ['In use', 'В работе'],
  inDoubt: ['In doubt', 'Под вопросом'],
  quota: ['Activations left', 'Осталось активаций'],
  bought: ['bought', 'купленных'],
  day: ['24 h', '24 ч'],
  of: ['of', 'из'],
  quarter: [
    'A redemption takes 1, a look-up of a player 0.25.',
    'Активация кода стоит 1, имя игрока по ID — 0,25.',
  ],

  httpTitle: ['The same for programs', 'То же для программ'],
  docs: ['Documentation', 'Документация'],

  tourTitle: ['Five-minute tour', 'Тур на пять минут'],
  ticked: ['done', 'сделано'],
  toDo: ['to do', 'впереди'],
  step: ['Step', 'Шаг'],
  cameTrue: ['Done.', 'Готово.'],
  next: ['Next: %', 'Дальше: %'],
  toEnd: ['Finish the tour', 'Закончить тур'],
  become: ['Become %', 'Стать: %'],
  paste: ['Paste and send', 'Вставить и отправить'],
  writeForMe: ['Write it for me', 'Написать за меня'],
  press: ['Press %', 'Нажать «%»'],
  story: ['Story of receipt %', 'История чека %'],

  endTitle: ['That was the tour', 'Вот и весь тур'],
  endWhy: [
    'Everything you saw was the real service, with a pretended Telegram and a pretended platform.',
    'Всё, что вы видели, — настоящий сервис; понарошку только Telegram и платформа.',
  ],
  tokenAbout: [
    'Ask @BotFather for a token and start it with that. Hosting is in docs/hosting.md.',
    'Попросите токен у @BotFather и запустите с ним. Как держать его для клиентов — в docs/hosting.md.',
  ],
  httpAbout: [
    'Chat and HTTP are two windows on the same rows. Every call can be tried there.',
    'Чат и HTTP — два окна на одни и те же строки. Там можно попробовать каждый вызов.',
  ],
  codeAbout: [
    'CONTRIBUTING.md tells where things live, how a redemption goes, and how to change it.',
    'CONTRIBUTING.md: где что живёт, как идёт активация и как всё это менять.',
  ],
  faultsAbout: [
    'Codes that are lost, slow, refused, or find the platform or one of its two upstreams away.',
    'Коды, которые теряются, медлят, получают отказ или не застают платформу либо одного из двух её поставщиков.',
  ],
  again: ['Take the tour again', 'Пройти тур ещё раз'],
} as const satisfies Record<string, readonly [en: string, ru: string]>;

export type Words = Record<keyof typeof WORDS, string>;

const IN: Record<PageLanguage, Words> = { en: inLanguage(0), ru: inLanguage(1) };

/** Every word in this language. */
export const wordsIn = (language: PageLanguage): Words => IN[language];

function inLanguage(at: 0 | 1): Words {
  return Object.fromEntries(Object.entries(WORDS).map(([key, both]) => [key, both[at]])) as Words;
}
