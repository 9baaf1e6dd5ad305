/** Returns a generator of numbers from 0 up to 1 that are the same on every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Generates a secret of the format: plain characters are literal, `[a-z0-9]{32}` means 32 characters of the set. Secrets are
 * generated so that no file contains one, not even an invented one.
 */
export function generateSample(format: string, random: () => number): string {
  return format.replace(
    /\[([^\]]+)\](?:\{(\d+)(?:,(\d+))?\})?|\\(.)/g,
    (_whole, set: string | undefined, from = '1', to = from, escaped: string | undefined) => {
      if (set === undefined) return escaped as string;
      const characters = charactersOf(set);
      const length = Number(from) + Math.floor(random() * (Number(to) - Number(from) + 1));
      let made = '';
      // A secret without a digit can look like a word; scanners, too, regenerate their samples until there is one.
      do {
        made = Array.from({ length }, () => characters[Math.floor(random() * characters.length)]).join('');
      } while (length > 8 && characters.includes('7') && !/[0-9]/.test(made));
      return made;
    },
  );
}

function charactersOf(set: string): string {
  return set.replace('\\w', 'A-Za-z0-9_').replace(/(\w)-(\w)/g, (_range, first: string, last: string) => {
    const start = first.charCodeAt(0);
    return String.fromCharCode(
      ...Array.from({ length: last.charCodeAt(0) - start + 1 }, (_, step) => start + step),
    );
  });
}
