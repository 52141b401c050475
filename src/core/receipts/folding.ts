// Names as people compare them.

/**
 * Compatible forms are one, case does not matter (upper case first, so that ß is ss and both lower sigmas are one), what cannot
 * be seen is not there.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC');
}
