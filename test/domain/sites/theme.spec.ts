import { themes } from '../../../domain/sites/theme/rules.ts'
import { ask, given } from '../../support/decider.ts'

describe('theme', () => {
  it('clears the slots of a page that has ended', () => {
    const installed = { type: 'ThemeInstalled', data: { name: 'T', styles: [{ id: 1, name: 'S' }] } }
    const pages = { home_template_page: 5, blog_template_page: 5, search_template_page: 6, store_template_page: null }
    const set = { type: 'TemplatePagesSet', data: { template_pages: pages } }
    given(themes, installed, set)
      .when(ask('losePages', { ended_ids: [5] }), new Set())
      .then({
        type: 'TemplatePagesSet',
        data: { template_pages: { home_template_page: null, blog_template_page: null } },
      })
    given(themes, installed, set)
      .when(ask('losePages', { ended_ids: [7] }), new Set())
      .thenNothing()
  })
})
