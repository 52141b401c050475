// Codes as people write them: as they are, or in groups with dashes between (`AB12-CD34-EF56`), as they are printed on cards.

const GROUPED = /^[A-Za-z0-9]{3,8}([-\u2010-\u2013])[A-Za-z0-9]{3,8}(?:\1[A-Za-z0-9]{3,8}){1,8}$/;

/**
 * The code that a word is, or that three or more groups of one length make, with a letter and a digit among them; undefined where
 * it is none. `isCode` tells of a word as it stands: groups that are codes themselves are never put together.
 */
export function readCode(word: string, isCode: (word: string) => boolean): string | undefined {
  if (isCode(word)) return word;
  if (!GROUPED.test(word)) return undefined;
  const groups = word.split(/[-\u2010-\u2013]/);
  const code = groups.join('');
  const isEven = groups.every((group) => group.length === groups[0]?.length && !isCode(group));
  return isEven && /[A-Za-z]/.test(code) && /[0-9]/.test(code) && isCode(code) ? code : undefined;
}
