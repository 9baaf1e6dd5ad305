/**
 * The only sizes, weights and distances of the dashboard, which `scale.test.ts` enforces. Text is body text unless it is a
 * caption, a heading, the title of a page or a large number.
 */
export const fontSizes = { caption: '12px', body: '14px', heading: '16px', title: '20px', number: '24px' };

/** Medium is for labels and buttons. */
export const fontWeights = { regular: '400', medium: '500', bold: '600' };

export const lineHeights = { text: '1.5', heading: '1.3' };

/** Multiples of 4 pixels. */
export const spacing = { xxs: '4px', xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' };
