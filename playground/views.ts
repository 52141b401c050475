// What the stand-in for Telegram knows, as the page draws it. Pure but for reading the stand-in.
import type { SeenMessage, StoredFile } from '../test/telegram/types.ts';
import type { BotApi } from '../test/telegram/telegram.ts';
import { PERSONAS, type Personas } from './personas.ts';
import type { ChatKey, MemberRole, MessageView, PersonKey, PersonView } from './protocol.ts';

export interface Views {
  people(): PersonView[];
  person(key: PersonKey): PersonView;
  /** Everything said so far, oldest first in each chat. */
  messages(): MessageView[];
  message(chatId: number, messageId: number): MessageView | undefined;
  /** The invoices of this chat that are paid. */
  paidIn(chatId: number): MessageView[];
  /** As it stands in the stand-in. Throws a sentence when there is none. */
  find(chat: ChatKey, messageId: number): SeenMessage;
  file(fileId: string): (StoredFile & { isPicture: boolean }) | undefined;
}

/** Looks at the stand-in through the personas; `findMember` tells what a person is in the database. */
export function createViews(
  api: BotApi,
  personas: Personas,
  findMember: (telegramId: number) => { role: MemberRole; isOurs: 0 | 1 } | undefined,
): Views {
  const chats = (): ChatKey[] => [...PERSONAS.map(({ key }) => key), 'group'];
  const all = (chat: ChatKey) => api.messages(personas.chat(chat));

  function person(key: PersonKey): PersonView {
    const user = personas.user(key);
    const menu = api.menu(user).map(({ command, description }) => ({ command, description }));
    return {
      key,
      language: user.language_code === 'ru' ? 'ru' : 'en',
      menu,
      membership: membership(key, user.id),
    };
  }

  function membership(key: PersonKey, telegramId: number): PersonView['membership'] {
    if (key === 'host') return 'host';
    const member = findMember(telegramId);
    if (member) return member.isOurs ? member.role : 'ownAccount';
    return all(key).length === 0 ? 'stranger' : 'nobody';
  }

  return {
    person,
    people: () => PERSONAS.map(({ key }) => person(key)),
    messages: () =>
      chats().flatMap((chat) => all(chat).map((one, _, others) => view(personas, chat, one, others))),
    message(chatId, messageId) {
      const chat = personas.chatKeyOf(chatId);
      const messages = chat ? all(chat) : [];
      const found = messages.find(({ id }) => id === messageId);
      return chat && found && view(personas, chat, found, messages);
    },
    paidIn(chatId) {
      const chat = personas.chatKeyOf(chatId);
      const messages = chat ? all(chat).map((one, _, others) => view(personas, chat, one, others)) : [];
      return messages.filter(({ invoice }) => invoice?.isPaid);
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

function view(
  personas: Personas,
  chat: ChatKey,
  message: SeenMessage,
  others: readonly SeenMessage[],
): MessageView {
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
    from: byBot ? undefined : personas.keyOf(message.from?.id),
    sentAt,
    editedAt,
    document: document && { fileId: document.fileId, name: document.name, bytes: document.bytes.length },
    photo: photo && { fileId: photo.fileId },
    invoice: invoice && {
      title: invoice.title,
      description: invoice.description,
      currency: invoice.currency,
      totalAmount: invoice.totalAmount,
      isPaid: others.some(({ payment }) => payment?.invoice_payload === invoice.payload),
    },
    money: moneyOf(message),
  };
}

function moneyOf({ payment, refund }: SeenMessage): MessageView['money'] {
  const note = payment ?? refund;
  if (!note) return undefined;
  const { currency, total_amount: totalAmount } = note;
  return { kind: payment ? 'paid' : 'refunded', currency, totalAmount };
}
