import type { MirrorSettings } from './mirrors.ts';

const gibibyte = 1024 ** 3;
/** How much the mirrors of all repositories may take up, unless the operator says otherwise. */
export const defaultMirrorsMaxBytes = 20 * gibibyte;
const maxSeconds = 600;

/** What one fetch may take, and all mirrors together. */
export function mirrorLimits(
  maxTotalBytes: number,
): Pick<MirrorSettings, 'maxBytes' | 'maxSeconds' | 'maxTotalBytes'> {
  return { maxBytes: maxTotalBytes, maxSeconds, maxTotalBytes };
}
