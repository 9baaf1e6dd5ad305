import {
  Alert,
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Modal,
  Notification,
  NumberInput,
} from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '650' },
  components: {
    // Outlined alerts and badges show their color in the border; their text stays readable.
    Alert: Alert.extend({
      styles: (_theme, { variant }) =>
        variant === 'outline' ? { title: { color: 'var(--mantine-color-text)' } } : {},
    }),
    Badge: Badge.extend({
      styles: (_theme, { variant }) =>
        variant === 'outline' ? { label: { color: 'var(--mantine-color-text)' } } : {},
    }),
    // A number out of range is refused with a message, never silently replaced with another one.
    NumberInput: NumberInput.extend({ defaultProps: { clampBehavior: 'none' } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
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
  },
  dark: {
    '--mantine-color-dimmed': '#b8bcc4',
    '--mantine-color-placeholder': '#9aa0aa',
    '--mantine-color-error': '#ff8787',
  },
});
