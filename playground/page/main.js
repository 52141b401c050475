// Starts the page: what it knows, what it does, and one drawing of it all whenever something changed.
import { render } from 'lit/html.js';

import { createActions } from './actions.js';
import { listen } from './connection.js';
import { rememberLog } from './log.js';
import { createState } from './state.js';
import { rememberTour } from './tour.js';
import { createTour } from './tour-progress.js';
import { pageView } from './page.js';
import { en } from './words-en.js';
import { ru } from './words-ru.js';

const WORDS = { en, ru };

const root = document.getElementById('app');
const app = createState(changed);
Object.assign(app, createActions(app));
app.tour = createTour(app);

let queued = false;
function changed() {
  if (queued) return;
  queued = true;
  void Promise.resolve().then(() => {
    queued = false;
    draw();
  });
}

function draw() {
  app.t = WORDS[app.language];
  document.documentElement.lang = app.language;
  const settle = [rememberLog(app), rememberTour(app)];
  render(pageView(app), root);
  if (app.service) settle.forEach((one) => one());
}

const wide = matchMedia('(min-width: 1240px)');
const middling = matchMedia('(min-width: 740px)');
function measure() {
  app.layout = wide.matches ? 'wide' : middling.matches ? 'middling' : 'narrow';
  changed();
}
wide.addEventListener('change', measure);
middling.addEventListener('change', measure);
measure();

listen(
  (event) => {
    app.apply(event);
    app.heard(event);
    app.tour.look(event);
    changed();
  },
  (up) => {
    app.connected = up;
    changed();
  },
);
