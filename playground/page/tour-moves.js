// The moves of the tour: what each presses or writes, as a person would, and whether it is there to be pressed.
import { fill, send } from './composer.js';
import { labelOf } from './message.js';
import { receiptsIn } from './state.js';

/** Long enough to be read in the field before it is sent. */
const READ_MS = 450;

/** A second press while the first is written, or is on its way, makes nothing twice. */
export async function makeOnce(app, move, target) {
  app.tour.isMoving = true;
  app.changed();
  // A press is answered when the bot has handled it; the next move may be due before.
  if (move.do === 'press') void makeMove(app, move, target);
  else await makeMove(app, move, target);
  app.tour.isMoving = false;
  app.changed();
}

function makeMove(app, move, target) {
  switch (move.do) {
    case 'become':
      return app.become(move.who);
    case 'copy':
      return app.copySample(sampleOf(app, move));
    case 'paste':
      return write(app, move.chat, (move.after ?? '') + (app.copied ?? sampleOf(app, move).text));
    case 'say':
      return write(app, move.chat, move.text);
    case 'kill':
      return app.kill();
    default:
      if (app.chat !== move.chat || app.layout === 'narrow') app.become(move.chat);
      return target.act();
  }
}

const sampleOf = ({ samples }, move) => samples.find(({ key }) => key === move.key);

async function write(app, chat, text) {
  app.become(chat);
  // The chat is drawn first: on a phone it was not there.
  await pause(0);
  fill(text);
  await pause(READ_MS);
  await send(app);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What the move presses in the chat, and how it is called there now; undefined while the bot has not answered. */
export function targetOf(app, move) {
  const messages = app.messagesOf(move.chat).reverse();
  switch (move.do) {
    case 'press':
      return findKey(app, messages, ({ callback_data: data }) => move.data.test(data ?? ''));
    case 'pay':
      return findKey(app, messages, (button, { invoice }) => button.pay && invoice && !invoice.isPaid);
    case 'receipt': {
      const [receipt] = messages.flatMap(receiptsIn);
      return receipt && { label: `/receipt_${receipt}`, act: () => app.say(`/receipt_${receipt}`) };
    }
    case 'story': {
      const [receipt] = messages.flatMap(receiptsIn);
      return receipt && { label: app.t.tour.story(receipt), act: () => app.openStory(receipt) };
    }
    case 'console':
      return { label: app.t.openConsole, act: () => app.openConsole(move.chat) };
    default:
      return undefined;
  }
}

function findKey(app, messages, matches) {
  for (const message of messages) {
    for (const [row, buttons] of message.keyboard.entries()) {
      const column = buttons.findIndex((button) => matches(button, message));
      if (column >= 0)
        return {
          label: labelOf(app, buttons[column], message.invoice),
          act: () => app.tap(message, row, column),
        };
    }
  }
  return undefined;
}
