import type { JsonObject } from '../../kernel/event.ts'

/** Commands that requests on pages kept in the log before version 0.3, as they are asked now. */
export const FORMER_COMMANDS = {
  PlacePage: ({ page, after, sortOrder, products, stepId, showPageStepId }: JsonObject) => ({
    type: 'placePage',
    wanted: { page, after, sortOrder, products },
    ids: [Number(stepId), Number(showPageStepId)],
  }),
  ArrangePage: ({ page, onto, sortOrder, products }: JsonObject) => ({
    type: 'arrangePage',
    wanted: { page, onto, sortOrder, products },
  }),
  RemovePage: ({ pageId }: JsonObject) => ({ type: 'removePage', wanted: { pageId } }),
  DetachProducts: ({ pageId, products }: JsonObject) => ({
    type: 'detachProducts',
    wanted: { pageId, detached: products },
  }),
}
