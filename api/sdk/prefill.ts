import type { SdkHandler } from './calls.ts'
import { sessionOf, type Visitors } from './visitor.ts'

/** Answers what the visitor has typed in this session, and nothing of any contact's record. */
export const prefill =
  (visitors: Visitors): SdkHandler =>
  async ({ found, body }) => {
    if (found.mode === 'preview') return { fields: {} }
    const { typed } = await sessionOf(visitors, body.session, found)
    return { fields: typed ?? {} }
  }
