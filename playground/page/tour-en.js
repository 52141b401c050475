// The words of the tour, in English. Labels of the bot that a move names stand here as well, for as long as the bot has not
// said them.
import { html } from 'lit/html.js';

const choose = (name) => html`Choose <b>${name}</b> at the top of the chat.`;
const write = (text) => html`Write <b>${text}</b> into the message field and send it.`;
const press = (fallback, where) => (label) => html`Press <b>${label ?? fallback}</b> ${where}`;
const UNDER = 'under the bot’s answer.';

export const tour = {
  title: 'Five-minute tour',
  progress: (done, all) => `Steps done: ${done} of ${all}`,
  ticked: 'done',
  toDo: 'to do',
  stepOf: (step, all) => `Step ${step} of ${all}`,
  showWhole: 'Show the whole step',
  waiting: 'The bot is answering…',
  cameTrue: 'Done.',
  next: (title) => `Next: ${title}`,
  nextShort: 'Next',
  toEnd: 'Finish the tour',
  story: (receipt) => `Story of receipt ${receipt}`,
  buttons: {
    become: ({ who }, _, t) => `Become ${t.people[who].name}`,
    copy: ({ key }) => (key === 'TIMEOUT' ? 'Copy the code' : 'Copy five codes'),
    paste: () => 'Paste and send',
    say: () => 'Write it for me',
    press: (_, label) => `Press ${label}`,
    receipt: (_, label) => `Open ${label}`,
    pay: (_, label) => label,
    console: (_, label) => label,
    story: (_, label) => label,
    kill: (_, __, t) => t.kill,
  },
  short: {
    become: ({ who }, _, t) => t.people[who].name,
    copy: () => 'Copy',
    paste: () => 'Paste',
    say: () => 'Write',
    press: () => 'Press',
    receipt: () => 'Open',
    pay: () => 'Pay',
    console: () => 'Open',
    story: () => 'Read',
    kill: () => 'Kill',
  },
  steps: {
    add: {
      title: 'Fill the stock',
      why: 'The shop has bought five codes. Its admin pastes them into the chat, as the supplier sent them.',
      moves: [
        choose('Admin'),
        html`Press <b>Copy five codes</b> here: they are fresh.`,
        html`Paste them into the message field and send them. No command is needed.`,
        press('Add 5 codes', UNDER),
      ],
      seen: 'Nothing was stored before you said so, and for an hour Undo takes it all back. A code pasted twice counts once.',
    },
    redeem: {
      title: 'Redeem one',
      why: 'A customer has paid for 60 UC and sends a player ID. One message and one tap of the operator.',
      moves: [
        choose('Operator'),
        write('5170925571 60'),
        press('Redeem', UNDER),
        'Watch the message become the receipt: about three seconds.',
      ],
      seen: 'Code reserved, activation charged, all of it on disk, and only then was the platform asked.',
    },
    support: {
      title: 'Find the receipt',
      why: 'The customer calls. Support has the player ID and nothing else.',
      moves: [
        choose('Support'),
        write('5170925571'),
        press('/receipt_15', 'in the bot’s answer: the newest comes first.'),
      ],
      seen: 'Login and password are covered until one presses them. Support may read receipts, and may not redeem.',
    },
    story: {
      title: 'Read its story',
      why: 'What happened to this code, and when? The console has a page for every receipt.',
      moves: [
        press('Open the console', 'above the chat, then Continue in the window that opens.'),
        press('Story of receipt 15', 'here.'),
      ],
      seen: 'Each step as it reached the disk: who asked, which code, what the platform said. In Telegram /console sends such a link: once, for five minutes.',
    },
    settle: {
      title: 'Lose an answer',
      why: 'The platform redeems, and its answer never arrives. Was the code spent or not? Nobody knows, and nobody guesses.',
      moves: [
        choose('Operator'),
        html`Press <b>Copy the code</b> here: with this one the platform does so.`,
        html`Write <b>/redeem 5170925573</b>, a space, then paste the code and send it.`,
        press('Game 1', UNDER),
        press('Redeem', UNDER),
        'Watch only: in doubt after six seconds, settled soon after.',
      ],
      seen: 'In doubt is a state of its own. The code was held, the platform was asked again, and the receipt came without anybody’s help.',
    },
    buy: {
      title: 'Buy activations',
      why: '300 redemptions a day are in the subscription. The owner buys a thousand more, with play money.',
      moves: [
        choose('Owner'),
        write('/buy_activations 1'),
        (label) => html`Press <b>${label ?? 'Pay'}</b> under the invoice, then <b>Pay</b> in the box.`,
      ],
      seen: 'Credited exactly once, by the number of the charge, whatever Telegram repeats.',
    },
    console: {
      title: 'Sit down at the desk',
      why: 'The admin’s console has more: what needs a person, the stock, the people, and who did what.',
      moves: [
        choose('Admin'),
        press('Open the console', 'above the chat, then Continue in the window that opens.'),
      ],
      seen: 'The bot has said at once which browser came in, with a button that ends it. Each list there is a URL and a CSV.',
    },
    kill: {
      title: 'Kill it in the middle',
      why: 'The hardest moment to die: a redemption is with the platform, and the process is gone.',
      moves: [
        choose('Operator'),
        write('5170925573 325'),
        press('Redeem', UNDER),
        html`Press <b>Kill the process</b> here within three seconds. Later is fine, too.`,
        'Watch it come back and finish what it had begun.',
      ],
      seen: 'Killed with SIGKILL, started again, and the receipt is there: nothing lost, nothing spent twice.',
    },
  },
  end: {
    title: 'That was the tour',
    why: 'Everything you saw was the real service, with a pretended Telegram and a pretended platform.',
    token: 'Talk to it in Telegram',
    tokenAbout: 'Ask @BotFather for a token and start it with that. Hosting is in docs/hosting.md.',
    http: 'Write a program that redeems',
    httpAbout: 'Chat and HTTP are two windows on the same rows. Every call can be tried there.',
    code: 'Read the code',
    codeAbout: 'CONTRIBUTING.md tells where things live, how a redemption goes, and how to change it.',
    faults: 'Break something else',
    faultsAbout: 'Codes that are lost, slow, refused, or find the platform or one of its two upstreams away.',
    again: 'Take the tour again',
  },
};
