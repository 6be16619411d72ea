import type { Happened } from '../../kernel/decider.ts'
import type { JsonObject } from '../../kernel/event.ts'
import type { PageCode, PageEvent } from './events.ts'

export const NO_CODE: PageCode = { head_code: null, footer_code: null, custom_css: null }

/** What decisions about a page need. */
export interface PageState {
  readonly status: 'absent' | 'present' | 'deleted'
  readonly workspaceId: number
  readonly external: boolean
  /** Name, description, search settings and markup. */
  readonly values: JsonObject
  readonly code: PageCode
  /** `null` while the page is hosted here. */
  readonly externalUrl: string | null
  readonly token: string | null
}

export const initial: PageState = {
  status: 'absent',
  workspaceId: 0,
  external: false,
  values: {},
  code: NO_CODE,
  externalUrl: null,
  token: null,
}

export const evolve = (state: PageState, event: Happened<PageEvent>): PageState => {
  const workspaceId = event.metadata.workspace_id ?? state.workspaceId
  switch (event.type) {
    case 'PageCreated': {
      const { head_code, footer_code, custom_css, ...values } = event.data
      return { ...state, status: 'present', workspaceId, values, code: { head_code, footer_code, custom_css } }
    }
    case 'ExternalPageRegistered': {
      const { external_url: externalUrl, ...values } = event.data
      return { ...state, status: 'present', workspaceId, external: true, values, externalUrl }
    }
    case 'TokenMinted':
      return { ...state, token: event.data.token }
    case 'PageRenamed':
    case 'PageDescribed':
    case 'SearchSettingsSet':
    case 'MarkupPublished':
      return { ...state, values: { ...state.values, ...event.data } }
    case 'PageCodeSet':
      return { ...state, code: { ...state.code, ...event.data } }
    case 'ExternalUrlMoved':
      return { ...state, externalUrl: event.data.external_url }
    case 'PageDeleted':
      return { ...state, status: 'deleted' }
  }
}
