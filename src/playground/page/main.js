// Starts the page: state, the line to the server, and each part of the screen.
import { createActions } from './actions.js';
import { startChatView } from './chat-view.js';
import { startComposer } from './composer.js';
import { listen } from './connection.js';
import { byId, icon } from './dom.js';
import { startPanel } from './panel.js';
import { startPeople } from './people.js';
import { createState } from './state.js';
import { startTheme } from './theme.js';

const state = createState();
const actions = createActions(state);

startTheme(byId('theme'));
startPeople(state);
startChatView(state, actions);
startPanel(state, startComposer(state, actions));

byId('back').append(icon('back'));
byId('back').addEventListener('click', () => {
  byId('app').dataset.view = 'list';
  byId('people').querySelector('[aria-current]')?.focus();
});

const line = byId('connection');
listen(state.apply, (up) => {
  line.hidden = up;
  line.textContent = up ? '' : 'The playground does not answer. Trying again…';
});
