import { z } from 'zod';
import { must } from '../../lib/wire/own-checks.ts';
import { wholeNumber } from '../../lib/wire/whole-number.ts';

const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be US$ per million tokens, such as 2.5')
  .transform(Number);
/** The queue limits a unit of work to one day. */
const largestMaxSeconds = 80_000;

/** The default limit of context around the change in one call. */
export const defaultContextTokens = 6_000;

/** The environment variables of the model, and of the limits of a review. */
export const modelEnvironment = z.object({
  POSTIL_MODEL_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .check(
      must(
        (text) => !/\/(?:chat\/completions|messages)\/?$/.test(text),
        'must be the base, which ends in /v1',
      ),
    )
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  POSTIL_MODEL_NAME: z.string().max(200).optional(),
  POSTIL_MODEL_API_KEY: z.string().max(2000).optional(),
  POSTIL_MODEL_KIND: z.enum(['openai', 'anthropic'], 'must be openai or anthropic').default('openai'),
  POSTIL_MODEL_PRICE_IN: price.default(0),
  POSTIL_MODEL_PRICE_OUT: price.default(0),
  POSTIL_REVIEW_MAX_TOKENS: wholeNumber(1, 999_999_999).default(200_000),
  POSTIL_REVIEW_MAX_SECONDS: wholeNumber(1, largestMaxSeconds).default(600),
  POSTIL_REVIEW_CONTEXT_TOKENS: wholeNumber(0, 999_999_999).default(defaultContextTokens),
});

/** The model that reviews use. */
export interface ModelSettings {
  /** The base URL of its API, without a trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly apiKey: string | undefined;
  readonly kind: 'openai' | 'anthropic';
  /** US$ per million tokens; 0 if it is free or not configured. */
  readonly priceIn: number;
  readonly priceOut: number;
}

/** The limits of one review. */
export interface ReviewLimits {
  readonly maxTokens: number;
  readonly maxSeconds: number;
  /** How many of the tokens a call may use for context around the change; 0 for none. */
  readonly contextTokens?: number;
}

/** Messages about variables that are missing although others of the model are set. */
export function modelFaults(given: Readonly<Record<string, unknown>>): string[] {
  const needed = ['POSTIL_MODEL_URL', 'POSTIL_MODEL_NAME'];
  const isSet = Object.keys(modelEnvironment.shape).some(
    (name) => name.startsWith('POSTIL_MODEL_') && given[name] !== undefined,
  );
  if (!isSet) return [];
  return needed
    .filter((name) => given[name] === undefined)
    .map((name) => `${name}: required with the other POSTIL_MODEL settings`);
}

/** Converts the variables to settings; there is no model unless its URL and name are set. */
export function modelSettingsOf(variables: z.output<typeof modelEnvironment>): {
  readonly model: ModelSettings | undefined;
  readonly reviewLimits: ReviewLimits;
} {
  const { POSTIL_MODEL_URL: url, POSTIL_MODEL_NAME: name } = variables;
  return {
    model:
      url === undefined || name === undefined
        ? undefined
        : {
            url,
            name,
            apiKey: variables.POSTIL_MODEL_API_KEY,
            kind: variables.POSTIL_MODEL_KIND,
            priceIn: variables.POSTIL_MODEL_PRICE_IN,
            priceOut: variables.POSTIL_MODEL_PRICE_OUT,
          },
    reviewLimits: {
      maxTokens: variables.POSTIL_REVIEW_MAX_TOKENS,
      maxSeconds: variables.POSTIL_REVIEW_MAX_SECONDS,
      contextTokens: variables.POSTIL_REVIEW_CONTEXT_TOKENS,
    },
  };
}
