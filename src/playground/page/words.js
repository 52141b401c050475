// The words of the page in its languages, and the plurals of each.
import { en } from './words-en.js';
import { ru } from './words-ru.js';

export const WORDS = { en, ru };
