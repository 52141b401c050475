// Light or dark: the system's choice until the visitor makes one, which is kept.
import { icon } from './dom.js';

/** Wires the toggle. */
export function startTheme(button) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
  const current = () => root.dataset.theme ?? (system.matches ? 'dark' : 'light');
  const draw = () => {
    const dark = current() === 'dark';
    button.replaceChildren(icon(dark ? 'sun' : 'moon'));
    button.setAttribute('aria-label', dark ? 'Light colours' : 'Dark colours');
    button.title = dark ? 'Light colours' : 'Dark colours';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = current() === 'dark' ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
    draw();
  });
  system.addEventListener('change', draw);
  draw();
}
