import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Modal,
  MultiSelect,
  Notification,
  NumberInput,
  Pill,
  Select,
} from '@mantine/core';
import { chartVariables, palettes } from './palette.ts';
import { fontSizes, fontWeights, lineHeights, spacing } from './scale.ts';

const { caption, body, heading, title, number } = fontSizes;
const headingOf = (fontSize: string) => ({ fontSize, lineHeight: lineHeights.heading });

/** The heading of a dialog is not a landmark of the page. */
const dialog = {
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'none' } },
};

/**
 * The list of options is its own scroll container. A scroll area inside it would be a region that the keyboard cannot reach,
 * while the arrow keys of the field already scroll the list.
 */
const scrollingOptions = {
  defaultProps: { withScrollArea: false },
  styles: {
    options: { maxHeight: 320, overflowY: 'auto', paddingInlineEnd: 'var(--combobox-padding)' },
  },
} as const;

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontSizes: { xs: caption, sm: body, md: body, lg: heading, xl: number },
  fontWeights,
  lineHeights: {
    xs: lineHeights.text,
    sm: lineHeights.text,
    md: lineHeights.text,
    lg: lineHeights.heading,
    xl: lineHeights.heading,
  },
  spacing,
  headings: {
    fontWeight: fontWeights.bold,
    sizes: {
      h1: headingOf(title),
      h2: headingOf(heading),
      h3: headingOf(body),
      h4: headingOf(body),
      h5: headingOf(body),
      h6: headingOf(body),
    },
  },
  components: {
    // Outlined alerts and badges show their color in the border; their text stays readable.
    Alert: Alert.extend({
      styles: (_theme, { variant }) =>
        variant === 'outline' ? { title: { color: 'var(--mantine-color-text)' } } : {},
    }),
    Badge: Badge.extend({
      defaultProps: { variant: 'outline' },
      vars: () => ({ root: { '--badge-fz': 'var(--mantine-font-size-xs)' } }),
      styles: (_theme, { variant }) => ({
        root: { textTransform: 'none', letterSpacing: 'normal', minWidth: 'fit-content' },
        ...(variant === 'outline' && { label: { color: 'var(--mantine-color-text)' } }),
      }),
    }),
    // A number out of range is refused with a message, never silently replaced with another one.
    NumberInput: NumberInput.extend({ defaultProps: { clampBehavior: 'none' } }),
    Modal: Modal.extend({ defaultProps: dialog }),
    Drawer: Drawer.extend({ defaultProps: dialog }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    MultiSelect: MultiSelect.extend(scrollingOptions),
    Select: Select.extend(scrollingOptions),
    Pill: Pill.extend({ defaultProps: { size: 'sm' } }),
  },
});

/** Mantine's default secondary text has too little contrast for many readers (WCAG 2 AA requires 4.5:1). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4b5563',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#364fc7',
    ...chartVariables(palettes.light),
  },
  dark: {
    '--mantine-color-dimmed': '#b8bcc4',
    '--mantine-color-placeholder': '#9aa0aa',
    '--mantine-color-error': '#ff8787',
    ...chartVariables(palettes.dark),
  },
});
