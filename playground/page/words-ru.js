// What the page says, in Russian; the tour's words are in tour-ru.js.
import { tour } from './tour-ru.js';

const plural = new Intl.PluralRules('ru');
const count = (number, one, few, many) => {
  const form = plural.select(number);
  const noun = form === 'one' ? one : form === 'few' ? few : many;
  return `${number} ${noun}`;
};

export const ru = {
  tour,
  what: 'Этим ботом в Telegram магазин активирует игровые коды своим клиентам, и ни один код не тратится дважды и не теряется.',
  whatHere: 'Попробуйте: всё работает на этом компьютере, деньги игрушечные.',
  loading: 'Запускается…',
  lost: 'Стенд не отвечает. Пробую ещё раз…',
  noAnswer: 'Стенд не отвечает. Он ещё работает?',
  lightColours: 'Светлые цвета',
  darkColours: 'Тёмные цвета',
  tabs: { tour: 'Тур', chat: 'Чат', account: 'Аккаунт' },
  accountSide: 'Аккаунт и коды, чтобы вставить',
  places: 'Части страницы',

  peopleLabel: 'Кем быть',
  people: {
    owner: { name: 'Владелец' },
    admin: { name: 'Админ' },
    operator: { name: 'Оператор' },
    support: { name: 'Поддержка' },
    stranger: { name: 'Гость' },
    host: { name: 'Администратор сервиса', short: 'Сервис' },
    group: {
      name: 'Группа',
      about: 'Группа со всеми и с ботом: там он отвечает на немногое и без секретов.',
    },
  },
  memberships: {
    owner: 'Чей это аккаунт: может всё.',
    admin: 'Добавляет коды, покупает активации, приглашает людей.',
    operator: 'Весь день активирует коды для клиентов.',
    support: 'Находит чек, пока клиент ждёт.',
    ownAccount: 'Теперь у него свой аккаунт, отдельно от аккаунта магазина, и там он может всё.',
    nobody: 'Сейчас ни в одном аккаунте: вернуться можно по приглашению.',
    stranger: 'Ещё не писал боту: нажмите «Начать» и посмотрите.',
    host: 'Отвечает за сервис и все аккаунты: /accounts, /grant, /health.',
  },
  youAre: (name) => `Вы: ${name}`,
  openConsole: 'Открыть консоль',
  unread: 'непрочитано',

  chat: 'Чат с ботом',
  messages: 'Сообщения',
  bot: 'Бот',
  you: 'Вы',
  start: 'Начать',
  groupHint:
    'В группе бот отвечает на несколько команд, например /stock и /quota; остальное — в личном чате.',
  toNewest: 'К последнему сообщению',
  newMessages: (number) => count(number, 'новое сообщение', 'новых сообщения', 'новых сообщений'),
  edited: 'изменено',
  covered: 'Скрытый текст, нажмите, чтобы показать',
  picture: 'Картинка',
  download: 'Скачать',
  invoice: 'Счёт',
  paid: 'Оплачено',
  payFor: (price) => `Оплатить ${price}`,
  payTitle: (price) => `Оплатить ${price}?`,
  payNote: 'Деньги игрушечные: нигде ничего не списывается.',
  pay: 'Оплатить',
  notNow: 'Не сейчас',
  moneyPaid: (price) => `Оплачено: ${price}`,
  moneyBack: (price) => `Возвращено: ${price}`,
  ok: 'Понятно',
  noAddress: 'У этой кнопки нет адреса, который можно открыть.',
  typing: (action) =>
    ({ upload_photo: 'Бот отправляет картинку', upload_document: 'Бот отправляет файл' })[action] ??
    'Бот печатает',

  write: 'Написать сообщение',
  message: 'Сообщение',
  placeholder: 'Сообщение или / для команд',
  placeholderShort: 'Сообщение или /',
  commands: 'Команды',
  attach: 'Приложить файл',
  send: 'Отправить',
  staged: 'Файлы к отправке',
  unstage: (name) => `Не отправлять ${name}`,
  tooLarge: (name) => `${name} больше 20 МБ, а больше бот не принимает.`,
  writeAs: 'Писать как',
  drop: 'Отпустите, чтобы приложить',

  copy: 'Скопировать',
  copied: 'Скопировано',
  copyOf: (what) => `Скопировать: ${what}`,
  copiedCodes: (number) =>
    number === 1
      ? 'Код скопирован'
      : `Скопировано: ${count(number, 'новый код', 'новых кода', 'новых кодов')}`,

  samplesTitle: 'Коды, чтобы вставить',
  samplesAbout: 'После каждого нажатия — другие; вне этого компьютера ничего не стоят.',
  samples: {
    'fresh-60': { label: '5 новых кодов на 60 UC' },
    'fresh-325': { label: '3 новых кода на 325 UC' },
    'fresh-660': { label: '2 новых кода на 660 UC' },
    TIMEOUT: { label: 'Без ответа', about: 'Активирован, но никто не узнал: дойдёт до чека.' },
    LOST: { label: 'Потерян в пути', about: 'Не активирован, и никто не узнал: вернётся.' },
    DOWN: { label: 'Платформы нет', about: 'До неё не достучаться: ничего не тратится и не списывается.' },
    DOWN1: { label: 'Нет первого поставщика', about: 'Активирует второй: одна активация, один чек.' },
    SLOW: { label: 'Медленный', about: 'Платформе нужно пять секунд.' },
    NOORDER: { label: 'Чек не целиком', about: 'Активирован; в чеке будет предупреждение.' },
    USED: { label: 'Уже использован', about: 'Платформа откажет.' },
    INVALID: { label: 'Неизвестный', about: 'Такого кода нет.' },
    NOACCOUNT: { label: 'Все заняты', about: 'Отказ на время: код остаётся годным.' },
  },

  serviceTitle: 'Аккаунт сейчас',
  process: { running: 'Процесс жив', starting: 'Процесс запускается…', down: 'Процесса нет' },
  kill: 'Убить процесс',
  killAbout:
    'Он сразу запускается снова. Вставленное, запрошенное, активированное не теряется, когда бы он ни умер.',
  codes: 'Коды',
  available: 'На складе',
  reserved: 'В работе',
  inDoubt: 'Под вопросом',
  quota: 'Осталось активаций',
  quotaLeft: (left, limit, bought) => `${left.toLocaleString('ru')} из ${limit} (24 ч) + ${bought} купленных`,
  quarter: 'Активация кода стоит 1, имя игрока по ID — 0,25.',

  httpTitle: 'То же для программ',
  address: 'Адрес',
  key: 'Ключ',
  docs: 'Документация',
};
