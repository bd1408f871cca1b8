/** How the sentence of an error shows a long word. */
export const shown = (word: string): string => `${word.slice(0, 24)}…${word.slice(-12)}`;
