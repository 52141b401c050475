// What the stand-in for Telegram knows, as the page draws it. Pure but for reading the stand-in.
import type { SeenMessage, StoredFile } from './telegram/types.ts';
import type { BotApi } from './telegram/telegram.ts';
import { ROLES_PLAYED, type Cast } from './cast.ts';
import type { ChatKey, MessageView, PersonKey, PersonView } from './protocol.ts';

export interface Views {
  people(): PersonView[];
  person(key: PersonKey): PersonView;
  /** Everything said so far, oldest first in each chat. */
  messages(): MessageView[];
  message(chatId: number, messageId: number): MessageView | undefined;
  /** As it stands in the stand-in. Throws a sentence when there is none. */
  find(chat: ChatKey, messageId: number): SeenMessage;
  file(fileId: string): (StoredFile & { isPicture: boolean }) | undefined;
}

/** Looks at the stand-in through the cast. */
export function createViews(api: BotApi, cast: Cast): Views {
  const chats = (): ChatKey[] => [...ROLES_PLAYED.map(({ key }) => key), 'group'];
  const all = (chat: ChatKey) => api.messages(cast.chat(chat));

  function person(key: PersonKey): PersonView {
    const { name, about } = ROLES_PLAYED.find((one) => one.key === key) ?? { name: key, about: '' };
    const user = cast.user(key);
    const menu = api.menu(user).map(({ command, description }) => ({ command, description }));
    return { key, name, about, language: user.language_code === 'ru' ? 'ru' : 'en', menu };
  }

  return {
    person,
    people: () => ROLES_PLAYED.map(({ key }) => person(key)),
    messages: () => chats().flatMap((chat) => all(chat).map((message) => view(cast, chat, message))),
    message(chatId, messageId) {
      const chat = cast.chatKeyOf(chatId);
      const found = chat && all(chat).find(({ id }) => id === messageId);
      return found && view(cast, chat, found);
    },
    find(chat, messageId) {
      const found = all(chat).find(({ id }) => id === messageId);
      if (!found) throw new Error(`There is no message ${messageId} in this chat.`);
      return found;
    },
    file(fileId) {
      for (const { document, photo } of chats().flatMap(all)) {
        if (document?.fileId === fileId) return { ...document, isPicture: false };
        if (photo?.fileId === fileId) return { ...photo, isPicture: true };
      }
      return undefined;
    },
  };
}

function view(cast: Cast, chat: ChatKey, message: SeenMessage): MessageView {
  const { id, html, buttons, byBot, edits, deleted, sentAt, editedAt, document, photo, invoice } = message;
  return {
    id,
    html,
    buttons,
    keyboard: message.markup?.inline_keyboard ?? [],
    byBot,
    edits,
    deleted,
    chat,
    from: byBot ? undefined : cast.keyOf(message.from?.id),
    sentAt,
    editedAt,
    document: document && { fileId: document.fileId, name: document.name, bytes: document.bytes.length },
    photo: photo && { fileId: photo.fileId },
    invoice: invoice && {
      title: invoice.title,
      description: invoice.description,
      currency: invoice.currency,
      totalAmount: invoice.totalAmount,
    },
    service: serviceLine(message),
  };
}

function serviceLine({ payment, refund }: SeenMessage): string | undefined {
  if (payment) return `Payment went through: ${price(payment.total_amount, payment.currency)}`;
  if (refund) return `Refunded: ${price(refund.total_amount, refund.currency)}`;
  return undefined;
}

function price(amount: number, currency: string): string {
  return currency === 'XTR'
    ? `${amount.toLocaleString('en')} Stars`
    : `${(amount / 100).toFixed(2)} ${currency}`;
}
