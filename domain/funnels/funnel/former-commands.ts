import type { JsonObject } from '../../kernel/values/event.ts'

/** Translations of the follow-up commands that requests on pages stored in the log before version 0.3. */
export const FORMER_COMMANDS = {
  PlacePage: ({ page, after, sortOrder, products, stepId, showPageStepId }: JsonObject) => ({
    type: 'placePage' as const,
    wanted: { page, after, sortOrder, products },
    ids: [Number(stepId), Number(showPageStepId)],
  }),
  ArrangePage: ({ page, onto, sortOrder, products }: JsonObject) => ({
    type: 'arrangePage' as const,
    wanted: { page, onto, sortOrder, products },
  }),
  RemovePage: ({ pageId }: JsonObject) => ({ type: 'removePage' as const, wanted: { pageId } }),
  DetachProducts: ({ pageId, products }: JsonObject) => ({
    type: 'detachProducts' as const,
    wanted: { pageId, detached: products },
  }),
}
