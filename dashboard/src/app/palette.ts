/** The colors of charts in a color scheme, and their background. */
export interface Palette {
  readonly background: string;
  readonly accepted: string;
  readonly notAccepted: string;
  readonly unknown: string;
}

/**
 * Calm colors that everybody can tell apart: `palette.test.ts` simulates the three kinds of color blindness. That is why the
 * middle color is not green, and why gray is darker than the others in the dark scheme.
 */
export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: { background: '#ffffff', accepted: '#3651b8', notAccepted: '#d07a2d', unknown: '#8d95a0' },
  dark: { background: '#242424', accepted: '#8ea1f7', notAccepted: '#e0924a', unknown: '#6a7179' },
};

/** The palette as CSS variables; charts refer to them, so that they follow the color scheme. */
export function chartVariables({ accepted, notAccepted, unknown }: Palette) {
  return {
    '--postil-accepted': accepted,
    '--postil-not-accepted': notAccepted,
    '--postil-unknown': unknown,
  };
}
