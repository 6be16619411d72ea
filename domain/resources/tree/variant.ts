import { fractionOf } from '../../kernel/values/fraction-of.ts'
import type { Branch, Weights } from './tree.ts'

/**
 * Returns the branch of a split test for whoever comes to it: always the same for the same weights, and independent of every other split.
 *
 * @param who text that stays the same, such as the id of a browser
 */
export const variantFor = ({ id, weights }: { readonly id: number; readonly weights: Weights }, who: string): Branch =>
  fractionOf(`${id}\n${who}`) * 100 < weights[0] ? 0 : 1
