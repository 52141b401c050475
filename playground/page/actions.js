// What a visitor does: as one of the people, or to the page. What the tour waits for is noted here, whoever began it.
import { act } from './connection.js';
import { ask, copy, toast } from './overlays.js';
import { isTelegram, safeAddress } from './rich-text.js';

const TYPING_MS = 5000;

/** Everything that can be done, over one state. */
export function createActions(app) {
  return { ...createMessages(app), ...createPresses(app), ...createChoices(app) };
}

function createMessages(app) {
  const where = () => ({ person: app.person(), chat: app.chat });

  async function perform(body) {
    const answer = await act(body);
    if (!answer.ok) toast(answer.error ?? app.t.noAnswer);
    else if (answer.toast && answer.alert) await ask({ text: answer.toast, yes: app.t.ok });
    else if (answer.toast) toast(answer.toast);
    return answer;
  }

  return {
    perform,
    where,
    async say(text) {
      const { chat } = app;
      const answer = await perform({ action: 'say', ...where(), text });
      if (answer.ok) app.tour.note({ do: 'say', chat, text });
    },
    /** Puts a sample on the clipboard, and has others minted in its place. */
    async copySample(sample) {
      app.copied = sample.text;
      app.tour.note({ do: 'copy', key: sample.key });
      await copy(sample.text, app.t.copiedCodes(sample.codes.length));
      await perform({ action: 'freshSamples', key: sample.key });
    },
    async kill() {
      app.tour.note({ do: 'kill' });
      await perform({ action: 'kill' });
    },
  };
}

function createPresses(app) {
  async function openLink(href) {
    const person = app.person();
    const answer = await app.perform({ action: 'open', person, link: href });
    if (answer.ok && app.chat === 'group') app.become(person);
  }

  async function follow(address) {
    const href = safeAddress(address);
    if (href === undefined) toast(app.t.noAddress);
    else if (isTelegram(href)) await openLink(href);
    else window.open(href, '_blank', 'noopener,noreferrer');
  }

  async function pay(message) {
    const { currency, totalAmount, title } = message.invoice;
    const sure = await ask({
      title: app.t.payTitle(priceOf(currency, totalAmount)),
      text: `${title}\n${app.t.payNote}`,
      yes: app.t.pay,
      no: app.t.notNow,
    });
    if (!sure) return;
    const answer = await app.perform({ action: 'pay', ...app.where(), messageId: message.id });
    if (answer.ok) app.tour.note({ do: 'pay', chat: message.chat });
  }

  async function press(message, row, column) {
    app.tour.note({
      do: 'press',
      chat: message.chat,
      data: message.keyboard[row][column].callback_data ?? '',
    });
    const answer = await app.perform({ action: 'press', ...app.where(), messageId: message.id, row, column });
    if (answer.ok && answer.url !== undefined) await follow(answer.url);
  }

  return {
    openLink,
    pay,
    /** In a window of its own: no link has to be asked for here. */
    async openConsole(person) {
      const answer = await app.perform({ action: 'console', person });
      if (!answer.ok) return;
      app.tour.note({ do: 'console', chat: person });
      await follow(answer.url);
    },
    /** A receipt's page in the console, for whoever has entered it. */
    async openStory(receipt) {
      app.tour.note({ do: 'story' });
      await follow(`${app.service.apiUrl}/console/receipts/${receipt}`);
    },
    /** Presses a button of the keyboard, whatever kind it is. */
    async tap(message, row, column) {
      const button = message.keyboard[row][column];
      if (button.copy_text !== undefined) await copy(button.copy_text.text, app.t.copied);
      else if (button.url !== undefined) await follow(button.url);
      else if (button.pay) await pay(message);
      else await press(message, row, column);
    },
  };
}

function createChoices(app) {
  const show = (tab) => {
    if (tab === 'chat' && app.layout !== 'narrow') return app.changed();
    if (app.layout === 'narrow') app.open.narrow = tab;
    else app.open.left = tab;
    app.changed();
  };
  return {
    show,
    become(chat) {
      app.chat = chat;
      if (chat !== 'group') app.writer = chat;
      app.unread.delete(chat);
      app.commands = [];
      app.tour.note({ do: 'become', who: chat });
      show('chat');
    },
    speak(language) {
      app.language = language;
      localStorage.setItem('language', language);
      app.changed();
      void app.perform({ action: 'language', language });
    },
    paint(theme) {
      document.documentElement.dataset.theme = theme;
      localStorage.setItem('theme', theme);
      app.changed();
    },
    /** What an event asks of the page beside being known. */
    heard(event) {
      if (event.kind === 'snapshot' && event.people[0].language !== app.language) app.speak(app.language);
      if (event.kind === 'typing') setTimeout(() => stopTyping(app, event), TYPING_MS);
    },
  };
}

function stopTyping(app, { chat }) {
  app.typing.delete(chat);
  app.changed();
}

/** A price as Telegram writes it: Stars are whole, money is in its smallest unit. */
export function priceOf(currency, amount) {
  if (currency === 'XTR') return `⭐${amount}`;
  return (amount / 100).toLocaleString('en', { style: 'currency', currency });
}
