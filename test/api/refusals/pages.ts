import { type Row, row } from './row.ts'
import type { Scene } from './scene.ts'

const createPage = (status: Row['status'], says: string, fields: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'POST',
    ({ ws }) => `${ws}/pages`,
    (all) => ({ page: { name: 'X', ...fields(all) } }),
  )
const external = (status: Row['status'], says: string, fields: (scene: Scene) => object): Row =>
  row(
    status,
    says,
    'POST',
    ({ ws }) => `${ws}/pages/external`,
    (all) => ({ page: { external_url: 'https://example.com/texts', ...fields(all) } }),
  )
const change = (
  status: Row['status'],
  says: string,
  which: 'one' | 'far' | 'free' | 'freeFar',
  fields: (scene: Scene) => object,
): Row =>
  row(
    status,
    says,
    'PUT',
    (all) => `/pages/${all[which].id}`,
    (all) => ({ page: fields(all) }),
  )
const detach = (status: Row['status'], says: string, which: 'one' | 'free', body: object): Row =>
  row(
    status,
    says,
    'DELETE',
    (all) => `/pages/${all[which].id}/products`,
    () => body,
  )
const CODE_MODE = "Invalid code mode 'x'. Must be 'append' or 'replace'."
const URL_INVALID = 'Validation failed: URL is not a valid URL (expected something like https://example.com/my-page)'
const STEP_MISSING = 'The step with the provided ID cannot be found.'
const FUNNEL_OR_STEP_MISSING = 'The funnel or show_page_step with the provided ID cannot be found.'
const NO_FUNNEL_FOR = 'omit the funnel block to create a standalone external page.'
const ATTACH_ELSEWHERE = "Cannot attach products to a page that isn't part of a funnel."

export const pages: readonly Row[] = [
  row(
    422,
    "Name can't be blank",
    'POST',
    ({ ws }) => `${ws}/funnels`,
    () => ({ funnel: { name: ' ' } }),
  ),
  row(
    400,
    CODE_MODE,
    'PUT',
    ({ funnel }) => `/funnels/${funnel.id}`,
    () => ({ funnel: { head_code_mode: 'x' } }),
  ),
  row(
    400,
    CODE_MODE,
    'PUT',
    ({ ws }) => `${ws}/site`,
    () => ({ site: { footer_code_mode: 'x' } }),
  ),
  row(
    404,
    'Not found: Record missing',
    'POST',
    ({ foreign }) => `/workspaces/${foreign}/funnels`,
    () => ({ funnel: { name: 'X' } }),
  ),

  createPage(422, "Name can't be blank", () => ({ name: '' })),
  createPage(422, 'Description is too long (maximum is 1000 characters)', () => ({ description: 'x'.repeat(1001) })),
  createPage(400, 'The funnel with the provided ID cannot be found.', () => ({ funnel: { funnel_id: 'nothing' } })),
  createPage(400, STEP_MISSING, () => ({ funnel: { show_page_step_id: 999_998 } })),
  createPage(400, STEP_MISSING, ({ funnel }) => ({
    funnel: { funnel_id: funnel.id, after_show_page_step_id: 999_998 },
  })),
  createPage(400, CODE_MODE, () => ({ custom_css: 'a', custom_css_mode: 'x' })),
  createPage(422, 'sort_order 5 is out of bounds (funnel has 3 step(s)).', ({ funnel }) => ({
    sort_order: 5,
    funnel: { funnel_id: funnel.id },
  })),
  createPage(422, 'sort_order -1 is out of bounds (funnel has 3 step(s)).', ({ funnel }) => ({
    sort_order: -1,
    funnel: { funnel_id: funnel.id },
  })),
  createPage(
    422,
    'The following fields are not valid on this endpoint: external_url. Use POST /api/v2/workspaces/:workspace_id/pages/external to create externally-hosted (SDK) pages.',
    () => ({ external_url: 'https://example.com/' }),
  ),
  createPage(400, '`funnel.products` is not supported. Use `show_page_step.product_ids` instead.', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id, products: [] },
  })),
  createPage(400, ATTACH_ELSEWHERE, () => ({ show_page_step: { product_ids: [1] } })),
  createPage(400, 'Product(s) not found: 999998, 999999', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { product_ids: [999_998], bumps: [{ product_id: 999_999 }] },
  })),
  createPage(400, 'Product(s) cannot be listed in both product_ids and bumps: 999998', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { product_ids: [999_998], bumps: [{ product_id: 999_998 }] },
  })),
  createPage(400, 'show_page_step.bumps has more than 100 items.', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { bumps: Array.from({ length: 101 }, () => ({ product_id: 999_998 })) },
  })),
  createPage(422, 'Show page step has a list of more than 1000 items', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { product_ids: Array.from({ length: 1001 }, () => 999_998) },
  })),
  createPage(400, 'Every show_page_step.bumps entry requires a product_id.', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { bumps: [{ preheadline: 'x' }] },
  })),
  createPage(400, 'show_page_step.bumps must be an array of objects, each with a product_id.', ({ funnel }) => ({
    funnel: { funnel_id: funnel.id },
    show_page_step: { bumps: [999_998] },
  })),
  createPage(
    400,
    'show_page_step.bumps has unsupported keys: price. Accepted keys: product_id, preheadline.',
    ({ funnel }) => ({
      funnel: { funnel_id: funnel.id },
      show_page_step: { bumps: [{ product_id: 999_998, price: 1 }] },
    }),
  ),
  createPage(400, 'Markup is not valid PML: unknown top-level element(s) <foo>.', () => ({ markup: '<foo/>' })),
  createPage(400, 'Markup appears to be truncated: <section> of line 1 is still open.', () => ({
    markup: '<section>',
  })),
  createPage(400, '<column> element must be inside a <row>.', () => ({ markup: '<section><column/></section>' })),
  createPage(400, "Invalid attribute(s) 'x' on <image>", () => ({ markup: '<image x="1"/>' })),

  external(422, 'external_url is required for external pages.', () => ({ external_url: '' })),
  external(422, URL_INVALID, () => ({ external_url: 'example.com/page' })),
  external(422, URL_INVALID, () => ({ external_url: 'https://example.com/?a=b' })),
  external(422, 'Validation failed: URL is already in use by another external page in this workspace', ({ far }) => ({
    external_url: far.external_url,
  })),
  external(422, 'The following fields are not valid for external pages: markup, theme_id.', () => ({
    theme_id: 1,
    markup: '',
  })),
  external(
    422,
    'The following fields are not valid for external pages: seo_index, head_code, live_data_changes.',
    () => ({ seo_index: true, head_code: null, live_data_changes: {} }),
  ),
  external(
    422,
    'The following fields are not valid for external pages: show_page_step.product_ids, show_page_step.bumps.',
    () => ({ show_page_step: { product_ids: [], bumps: [] } }),
  ),
  external(
    422,
    'page.funnel has unsupported keys: id. Accepted keys: funnel_id, show_page_step_id, after_show_page_step_id.',
    () => ({ funnel: { id: 1 } }),
  ),
  external(422, `funnel.after_show_page_step_id requires funnel.funnel_id; ${NO_FUNNEL_FOR}`, ({ one }) => ({
    funnel: { after_show_page_step_id: one.show_page_step.id },
  })),
  external(422, 'sort_order requires funnel.funnel_id;', () => ({ sort_order: 0 })),
  external(400, FUNNEL_OR_STEP_MISSING, () => ({ funnel: { funnel_id: 'nothing' } })),
  external(400, FUNNEL_OR_STEP_MISSING, () => ({ funnel: { show_page_step_id: 999_998 } })),
  external(400, FUNNEL_OR_STEP_MISSING, ({ funnel }) => ({
    funnel: { funnel_id: funnel.id, after_show_page_step_id: 999_998 },
  })),
  external(422, 'sort_order 4 is out of bounds (funnel has 3 step(s)).', ({ funnel }) => ({
    sort_order: 4,
    funnel: { funnel_id: funnel.id },
  })),

  change(422, "Name can't be blank", 'one', () => ({ name: '' })),
  change(400, CODE_MODE, 'one', () => ({ head_code: 'a', head_code_mode: 'x' })),
  change(400, 'Markup is not valid PML: no PML elements found.', 'one', () => ({ markup: 'plain' })),
  change(400, 'The show_page_step with the provided ID cannot be found.', 'one', () => ({
    funnel: { show_page_step_id: 999_998 },
  })),
  change(400, 'Product(s) not found: 999998', 'one', () => ({ show_page_step: { product_ids: [999_998] } })),
  change(400, ATTACH_ELSEWHERE, 'free', () => ({ show_page_step: { bumps: [{ product_id: 999_998 }] } })),
  change(422, 'sort_order needs a page that is on exactly one funnel step.', 'free', () => ({ sort_order: 0 })),
  change(422, 'sort_order 3 is out of bounds (funnel has 3 step(s)).', 'one', () => ({ sort_order: 3 })),
  change(422, 'The following fields are not valid for external pages: markup, theme_id.', 'far', () => ({
    markup: '',
    theme_id: 1,
  })),
  change(422, 'The following fields are not valid for internal pages: external_url.', 'one', () => ({
    external_url: 'https://example.com/',
  })),
  change(422, URL_INVALID, 'freeFar', () => ({ external_url: 'file:///page.html' })),
  change(
    422,
    'Validation failed: URL is already in use by another external page in this workspace',
    'freeFar',
    ({ far }) => ({ external_url: far.external_url }),
  ),

  detach(400, 'product_ids is required', 'one', {}),
  detach(400, 'product_ids is required', 'one', { product_ids: [] }),
  detach(400, "Cannot detach products from a page that isn't part of a funnel.", 'free', { product_ids: [999_998] }),
  detach(400, 'Product(s) not found: 999998', 'one', { product_ids: [999_998] }),
]
